// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

/// A communicator being created by icreate_group, and once complete, the owner of what belongs to
/// it. Move-only.
class GroupCreation {
 public:
  GroupCreation(GroupCreation&&) = default;
  GroupCreation& operator=(GroupCreation&&) = default;

  /// As of a Request: complete? Moves on everything under way on the Parent.
  bool test();
  void wait();

  /// The new communicator. It and the ranges of it are valid as long as this object lives (it may
  /// be moved). Throws std::logic_error before it is complete.
  const Comm& comm() const;

 private:
  friend GroupCreation icreate_group(const Comm&, std::span<const int>, int);
  friend GroupCreation icreate_group(const Comm&, int, int, int, int);

  GroupCreation() = default;
  static GroupCreation of_range(const Comm& parent, int first, int last, int stride, int tag);
  static GroupCreation of_list(const Comm& parent, std::span<const int> group, int tag);

  // On the heap, because requests and communicators point to it while this object moves.
  struct State;
  struct Delete {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Delete> state_;
};

/// Starts to create a communicator of `group`, distinct ranks of `parent` in their new order;
/// called by the members of `group` with the same arguments, and by nobody else (group-collective).
/// After section VI of the RBC paper (arXiv 1710.08027), see Context:
///
/// - A group that is a range of the parent (first, first + stride, …) is complete at once, without
///   communication.
/// - For any other group, the first member draws a fresh ⟨a, b⟩ and broadcasts it, without
///   blocking.
///
/// `tag`, 0 … Parent::max_tag, tells creations apart, as MPI_Comm_create_group's does: those that
/// are under way at the same time and have two or more members in common need different ones; and
/// those with the same parent, group and tag must be called by all members in the same order. Any
/// number of creations may be under way, and all make progress, whichever is waited for.
///
/// The new communicator has a channel of its own, so that its messages are not taken for those of
/// its parent; but as MPI's tags hold only part of a context, two created communicators share a
/// channel with a chance of one in Parent::channels(). So what is said at Parent about
/// communicators with two or more processes in common holds here, too.
GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag);

/// For a range, in constant time: the ranks first, first + stride, … last of `parent`.
GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag);

}  // namespace regroup::range
