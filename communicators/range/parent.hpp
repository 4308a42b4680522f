// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "communicators/range/channels.hpp"
#include "communicators/range/context.hpp"
#include "communicators/range/small_blocks.hpp"
#include "communicators/waiting/at_end.hpp"
#include "communicators/waiting/waiter.hpp"

namespace regroup::range {

class Operation;
class Comm;
class Matching;

/// A message that an operation waits for, and where it wants to be told about it.
struct PendingMessage {
  MPI_Request* request;
  MPI_Status* status = nullptr;
  Operation* operation = nullptr;  ///< Parent sees to it
};

/// Whether operations whose messages could be mistaken for one another's are found when they start
/// (see Parent). Costs a look at every operation under way; on by default in debug builds.
enum class OverlapCheck { off, on };
OverlapCheck default_overlap_check();

/// What the range communicators of one MPI communicator have in common: everything that would take
/// an MPI call to find out, the memory of their operations, and the operations under way.
///
/// `comm` is no intercommunicator, or std::invalid_argument is thrown. Making one is local and
/// takes a few MPI calls; all range communicators are then made from all() with none. Borrows
/// `comm`, and must outlive its range communicators and their requests. One thread only. Every
/// process of `comm` that communicates makes its own Parent, once, with a `waiter` that waits as
/// those of others do: two Parents of one MPI
/// communicator would not know of each other's operations.
///
/// **Tags.** All messages are messages on `comm`. The MPI tags 0 … max_tag are left to those who
/// send on `comm` itself; those above belong to the range communicators. Nobody may receive on
/// `comm` itself from any source with any tag.
///
/// **Who may communicate at the same time.** MPI tells messages apart by sender, receiver and tag.
/// Range communicators with at most one common process have no common pair of sender and receiver
/// and never interfere (but for messages of a process to itself, which only the user can send).
/// With two or more common processes, operations of the same kind that are under way at the same
/// time need distinct tags, also on one communicator: two broadcasts there need two tags, a
/// broadcast and a barrier do not. One after another, in the same order on all common processes,
/// needs none. The check throws std::logic_error where one process has both under way.
///
/// **Progress.** Whoever tests or waits moves every operation of this Parent on; so the order in
/// which members wait for several operations does not matter.
class Parent {
 public:
  static constexpr int tag_bits = 11;
  static constexpr int kind_bits = 5;
  static constexpr int max_tag = (1 << tag_bits) - 1;  ///< of collectives and creations

  Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check = default_overlap_check());
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent();

  /// All ranks of the MPI communicator. No MPI call.
  Comm all();

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Waiter& waiter() const { return waiter_; }

  /// The largest tag of a message: 34,815, but max_tag with an MPI library that has no more tags
  /// than it must.
  int max_message_tag() const { return max_message_tag_; }

  /// The channels that fit above the tags: 4,095 with MPICH, 32,767 with Open MPI; none with an MPI
  /// library that has no more tags than it must.
  Channels& channels() { return channels_; }

  CreationLog& creations() { return creations_; }

  /// Which receive gets which message.
  Matching& matching() { return *matching_; }

  std::pmr::memory_resource& memory() { return memory_; }

  /// Whether long broadcasts and reductions go in pieces, so that a rank passes one on while the
  /// next one comes in. That is faster by far where every rank has a core of its own, and slower
  /// where many share one, since each of them has to be woken up for every piece. As long as nobody
  /// says otherwise, where the waiter is direct. The same on all processes.
  bool pipelines() const { return pipelines_; }
  void pipeline(bool in_pieces) { pipelines_ = in_pieces; }

  /// Moves every operation under way on. An error is that of its operation, which has failed then.
  void progress();

  /// Progresses until `done` answers true, which only operations under way may bring about.
  /// Waits in MPI_Waitany on all messages of all operations, where the waiter may wait in MPI,
  /// unless there are none, or a receive waits for its message here (see Matching), which has to
  /// look again and again.
  template <class Done>
  void wait_until(Done done) {
    waiter_.until_in_mpi(
        [&] {
          progress();
          return done();
        },
        [&] { wait_for_a_message(); });
  }

  /// For blocking operations only: whether one may wait inside MPI for its own messages alone,
  /// since nothing else is under way; and one that does, which `run` carries out.
  bool may_run_alone() const { return under_way_.empty() && waiter_.waits_in_mpi(); }
  bool runs_alone() const { return runs_alone_; }
  template <class Run>
  void run_alone(Run run) {
    runs_alone_ = true;
    const AtEnd no_longer([this] { runs_alone_ = false; });
    waiter_.blocking(run);
  }

  /// For operations only: under way from enter (which checks) to leave, or until complete.
  void enter(Operation& operation);
  void leave(Operation& operation);
  bool idle() const { return under_way_.empty(); }

 private:
  void wait_for_a_message();

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 0;
  Waiter waiter_;
  OverlapCheck check_;
  bool pipelines_ = waiter_.how() == Waiting::direct;
  int max_message_tag_ = max_tag;
  Channels channels_{0};
  CreationLog creations_;
  std::unique_ptr<Matching> matching_;
  SmallBlocks memory_;
  bool runs_alone_ = false;
  std::vector<Operation*> under_way_;
  std::vector<PendingMessage> pending_;  // for wait_for_a_message only, like the next
  std::vector<MPI_Request> pending_requests_;
};

}  // namespace regroup::range
