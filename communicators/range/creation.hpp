// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

/// How the messages of a created communicator are kept apart from those of others. MPI has no
/// communicator for it; what its messages carry is a channel, and of those there are few.
enum class Isolation {
  /// A range of the parent is there at once. Its channel follows from what all members know, so
  /// that it may be that of another that lives here: then icreate_group throws NoChannel on the
  /// processes that both have in common, and only there. Other groups agree, as below.
  checked,
  /// The members agree on a channel that is free on all of them: a reduction and a broadcast. If
  /// there is none, all of them see NoChannel.
  agreed,
  /// A range of the parent is there at once, and its channel may be that of another range: then
  /// tags must keep them apart, as those of the ranges of one communicator (see Parent), with which
  /// it never has one in common. Other groups agree, as above.
  by_tags
};

/// A communicator being created by icreate_group, and once complete, the owner of what belongs to
/// it. Move-only.
class GroupCreation {
 public:
  GroupCreation(GroupCreation&&) = default;
  GroupCreation& operator=(GroupCreation&&) = default;

  /// As of a Request: complete? Moves on everything under way on the Parent. Throws NoChannel if
  /// the members found none.
  bool test();
  void wait();

  /// Hands out what test and wait look at, to be waited for together with other requests, which
  /// then throws NoChannel in their place. This object must live until it is complete. Null where
  /// the communicator is there at once.
  Request take_request();

  /// The new communicator. It and the ranges of it are valid as long as this object lives (it may
  /// be moved); what was created from them may live longer. Throws std::logic_error before it is
  /// complete.
  const Comm& comm() const;

 private:
  friend GroupCreation icreate_group(const Comm&, std::span<const int>, int, Isolation);
  friend GroupCreation icreate_group(const Comm&, int, int, int, int, Isolation);

  explicit GroupCreation(const Comm& comm);
  static GroupCreation of_range(const Comm& parent, int first, int last, int stride, int tag,
                                Isolation isolation);
  static GroupCreation of_list(const Comm& parent, std::span<const int> group, int tag);
  void agree(const Comm& parent, int tag);

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
///   communication, unless it is to agree on its channel.
/// - For any other group, the first member draws a fresh ⟨a, b⟩ and broadcasts it, without
///   blocking, together with the channel that they agree on.
///
/// `tag`, 0 … Parent::max_tag, tells creations apart, as MPI_Comm_create_group's does: those that
/// are under way at the same time and have two or more members in common need different ones; and
/// those with the same parent, group and tag must be called by all members in the same order. Any
/// number of creations may be under way, and all make progress, whichever is waited for.
///
/// While it lives, no message of the new communicator is taken for one of another, nor another's
/// for one of its own, provided that
///
/// - `isolation` is not by_tags;
/// - a process drops it only when it has received what was sent to it there;
/// - two ranges that are checked, and made in different order on two processes, live at the same
///   time on one of these.
///
/// Its ranges have its channel; what is said at Parent holds among them and it.
GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag,
                            Isolation isolation = Isolation::checked);

/// For a range, in constant time: the ranks first, first + stride, … last of `parent`.
GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag,
                            Isolation isolation = Isolation::checked);

}  // namespace regroup::range
