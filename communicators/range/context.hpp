// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

namespace regroup::range {

/// The name of a communicator, made without asking anybody: the wide context ⟨a, b, f, l, c⟩ that
/// Axtmann, Wiebigke and Sanders propose for MPI (arXiv 1710.08027, section VI). Two communicators
/// of one Parent have the same context only if they are the same communicator.
///
/// - ⟨a, b⟩ names a numbering of processes: process `a` handed it out as its `b`-th one. ⟨0, 0⟩ is
///   the numbering that nobody had to hand out, the ranks of the Parent's MPI communicator.
/// - `f … l` are the members, as numbers in that numbering. Ours has a `stride` as well, so that
///   every n-th process is a range, too.
/// - `c` tells apart what has the same members: 0 without a creation that had a tag, otherwise a
///   64-bit digest of how the communicator came about (see CreationLog).
struct Context {
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::int32_t f = 0;
  std::int32_t l = -1;
  std::int32_t stride = 1;
  std::uint64_t c = 0;

  friend constexpr bool operator==(const Context&, const Context&) = default;
};

/// The members `first`, `first + stride`, … `last` of `parent`, in the parent's ranks, as a range
/// of the same numbering; `c` is the parent's.
constexpr Context sub_range(const Context& parent, int first, int last, int stride) {
  return {parent.a,
          parent.b,
          parent.f + first * parent.stride,
          parent.f + last * parent.stride,
          first == last ? 1 : stride * parent.stride,
          parent.c};
}

/// Mixes all bits, one to one.
std::uint64_t mixed(std::uint64_t bits);

/// A digest of `number` and what was before it.
std::uint64_t digest(std::uint64_t so_far, std::uint64_t number);

std::uint64_t digest(const Context& context);

/// What one process remembers of the communicators that it took part in creating. Processes agree
/// on contexts without a message because each of them counts the same creations: those of the same
/// range of the same parent with the same tag, which MPI's rule for create_group already requires
/// all members to call in the same order. One small entry per such range, parent and tag, until the
/// parent is no more.
class CreationLog {
 public:
  struct Child {
    Context context;
    /// A number that follows that of the one before of this range of the same parent with this tag,
    /// and is far from those of others.
    std::uint64_t place;
  };

  /// The next communicator of this range of `parent` with this `tag`.
  Child child(const Context& parent, int first, int last, int stride, int tag);

  /// Forgets the children of `parent` and of its ranges: there will be no more of them.
  void forget(const Context& parent) { count_.erase(numbering(parent)); }

  /// The context of `size` processes that are no range, handed out by `process`, which must be the
  /// caller; everybody else learns `b` from it.
  Context fresh_context(int process, int size) { return {process, ++fresh_, 0, size - 1, 1, 0}; }

 private:
  // What a communicator and its ranges have in common.
  static std::uint64_t numbering(const Context& context);

  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> count_;
  std::int32_t fresh_ = 0;
};

}  // namespace regroup::range
