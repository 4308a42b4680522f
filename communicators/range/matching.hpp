// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

/// The messages that a receive or a probe matches: from one member or from all members, with an MPI
/// tag within bounds.
class Wanted {
 public:
  /// `from` may be MPI_ANY_SOURCE, and `tag` MPI_ANY_TAG.
  Wanted(const Comm& comm, int from, int tag);

  bool takes(int parent_rank, int mpi_tag) const {
    return mpi_tag >= first_tag_ && mpi_tag <= last_tag_ &&
           (source_ != MPI_ANY_SOURCE ? parent_rank == source_ : comm_.rank_of(parent_rank) >= 0);
  }
  /// Whether the same message may match both.
  bool competes_with(const Wanted& other) const;

  /// Whether an MPI receive with source() and tag() matches exactly these messages.
  bool is_one_of_mpi() const {
    return first_tag_ == last_tag_ &&
           (source_ != MPI_ANY_SOURCE || comm_.size() == comm_.parent().size());
  }

  /// Source and tag for MPI calls. With a wildcard, they may match other messages, too.
  int source() const { return source_; }
  int tag() const { return first_tag_ == last_tag_ ? first_tag_ : MPI_ANY_TAG; }

  const Comm& comm() const { return comm_; }
  int first_tag() const { return first_tag_; }
  int last_tag() const { return last_tag_; }

 private:
  Comm comm_;
  int source_;
  int first_tag_;
  int last_tag_;
};

/// An arrived message, with MPI's rank and tag. `message` is null while it is in MPI's queue.
struct Arrival {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;

  int source() const { return status.MPI_SOURCE; }
  int tag() const { return status.MPI_TAG; }
};

/// A receive that waits in a Matching if MPI could match it wrongly.
class WaitingReceive {
 public:
  explicit WaitingReceive(const Wanted& wanted) : wanted_(wanted) {}
  WaitingReceive(const WaitingReceive&) = delete;
  WaitingReceive& operator=(const WaitingReceive&) = delete;

  const Wanted& wanted() const { return wanted_; }
  /// Starts to receive `arrival`.
  virtual void take(Arrival arrival) = 0;
  /// Posts the receive to MPI.
  virtual void post() = 0;

 protected:
  ~WaitingReceive() = default;

 private:
  Wanted wanted_;
};

/// Matches messages to the receives of one process and parent communicator: each message goes to
/// the first posted receive that takes it. MPI itself matches receives that it can express. Other
/// receives wait here, as do receives that compete with an earlier waiting one.
///
/// A probe with a wildcard shows only the first message in MPI's queue. A message of a range
/// communicator that does not match is removed from the queue and kept here, in order of arrival. A
/// message that the user sent on the parent communicator itself stays, since MPI calls receive it.
class Matching {
 public:
  explicit Matching(MPI_Comm comm);
  Matching(const Matching&) = delete;
  Matching& operator=(const Matching&) = delete;
  ~Matching();

  /// Starts a receive from one source with one tag. No receive that matches them may wait here.
  void receive(void* data, int count, MPI_Datatype type, int source, int tag,
               MPI_Request* request) {
    Arrival kept;
    if (!kept_.empty() && take_kept(source, tag, kept)) [[unlikely]] {
      receive(data, count, type, kept, request);
      return;
    }
    post(data, count, type, source, tag, request);
  }
  /// Starts to receive a message that has arrived.
  void receive(void* data, int count, MPI_Datatype type, Arrival arrival, MPI_Request* request);

  /// Gives `receive` a kept message. If there is none, posts it to MPI or lets it wait here.
  void add(WaitingReceive& receive);
  void remove(WaitingReceive& receive);

  /// Gives arrived messages to waiting receives.
  void match() {
    if (!waiting_.empty()) match_waiting();
  }

  /// Finds an arrived message that `wanted` and no waiting receive takes. Does not remove it.
  bool find(const Wanted& wanted, MPI_Status& status);

 private:
  void post(void* data, int count, MPI_Datatype type, int source, int tag, MPI_Request* request);
  void match_waiting();
  bool must_wait(const WaitingReceive& receive, std::size_t before) const;
  WaitingReceive* first_taker(const Arrival& arrival) const;
  void keep(const Arrival& found);
  bool take_kept(int source, int tag, Arrival& kept);
  bool look(int source, int tag, Arrival& arrival) const;
  bool find_in_queue(const Wanted& wanted, Arrival& arrival);
  bool find_of(const Wanted& wanted, int source, Arrival& arrival);

  MPI_Comm comm_;
  std::vector<WaitingReceive*> waiting_;  // in the order in which they were posted
  std::vector<Arrival> kept_;             // in order of arrival
};

}  // namespace regroup::range
