// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

/// Which messages a receive or a probe takes: those of one member, or of all, with an MPI tag
/// within bounds.
class Wanted {
 public:
  /// `from` may be MPI_ANY_SOURCE, and `tag` MPI_ANY_TAG.
  Wanted(const Comm& comm, int from, int tag);

  bool takes(int parent_rank, int mpi_tag) const {
    return mpi_tag >= first_tag_ && mpi_tag <= last_tag_ &&
           (source_ != MPI_ANY_SOURCE ? parent_rank == source_ : comm_.rank_of(parent_rank) >= 0);
  }
  /// Whether there may be a message that both take.
  bool competes_with(const Wanted& other) const;

  /// Whether a receive of MPI with source() and tag() takes these messages and no others.
  bool is_one_of_mpi() const {
    return first_tag_ == last_tag_ &&
           (source_ != MPI_ANY_SOURCE || comm_.size() == comm_.parent().size());
  }

  /// As MPI takes them, which with a wildcard may be of others, too.
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

/// A message that is here, in ranks and tags of MPI. Taken out of MPI's queue, it has a handle.
struct Arrival {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;

  int source() const { return status.MPI_SOURCE; }
  int tag() const { return status.MPI_TAG; }
};

/// A receive that MPI could match wrongly, so that it waits for its message here.
class WaitingReceive {
 public:
  explicit WaitingReceive(const Wanted& wanted) : wanted_(wanted) {}
  WaitingReceive(const WaitingReceive&) = delete;
  WaitingReceive& operator=(const WaitingReceive&) = delete;

  const Wanted& wanted() const { return wanted_; }
  /// Receives this message.
  virtual void take(Arrival arrival) = 0;
  /// Waits for its message in MPI from now on.
  virtual void post() = 0;

 protected:
  ~WaitingReceive() = default;

 private:
  Wanted wanted_;
};

/// Which receive gets which message, of one process and parent communicator: the first that was
/// posted among those that take it. MPI itself sees to that among receives that are ones of MPI's.
/// The others wait here, and so do those that compete with one that was posted before.
///
/// A wildcard sees only what is first in MPI's queue. Messages of range communicators that are not
/// for it are taken out, and kept here in their order for whoever receives them; what the user has
/// sent on the parent communicator itself stays, since MPI's own calls have to find it.
class Matching {
 public:
  explicit Matching(MPI_Comm comm);
  Matching(const Matching&) = delete;
  Matching& operator=(const Matching&) = delete;
  ~Matching();

  /// Starts a receive from one process and with one tag for which no receive waits here.
  void receive(void* data, int count, MPI_Datatype type, int source, int tag,
               MPI_Request* request) {
    Arrival kept;
    if (!kept_.empty() && take_kept(source, tag, kept)) [[unlikely]] {
      receive(data, count, type, kept, request);
      return;
    }
    post(data, count, type, source, tag, request);
  }
  /// Starts the receive of a message that is here.
  void receive(void* data, int count, MPI_Datatype type, Arrival arrival, MPI_Request* request);

  /// Has `receive` take a message that is here, or post itself, or wait.
  void add(WaitingReceive& receive);
  void remove(WaitingReceive& receive);

  /// Gives messages that have come to receives that wait.
  void match() {
    if (!waiting_.empty()) match_waiting();
  }

  /// A message that is here, that `wanted` takes, and no receive; it stays where it is.
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
  std::vector<Arrival> kept_;             // in the order in which they came
};

}  // namespace regroup::range
