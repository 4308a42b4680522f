// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory_resource>
#include <vector>

#include "communicators/range/layout.hpp"
#include "communicators/range/matching.hpp"
#include "communicators/range/tags.hpp"

namespace regroup::range {

/// Tests; a null request is through (which SimGrid's MPI_Test does not say).
inline bool request_is_through(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (request == MPI_REQUEST_NULL) return true;
  int through = 0;
  throw_on_error(MPI_Test(&request, &through, status));
  return through != 0;
}

/// Ends a receive, if there is one: it writes to its memory no longer.
inline void give_up_receive(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The messages of one operation of a range communicator: they all have the operation's tag, and it
/// goes on when those it has posted are through. Ranks are those of the communicator. Of an
/// operation that runs alone, `settled` waits for them.
class Lane {
 public:
  /// Bytes of a message up to which MPI libraries send it at once: 8 KB for MPICH in shared memory.
  /// From there on they ask the receiver first, and the sender has to wake up once more when it
  /// answers.
  static constexpr long long sent_at_once = 8192;

  Lane(const Comm& comm, Kind kind, int tag)
      : comm_(comm),
        tag_(wire_tag(comm, kind, tag)),
        waits_(comm.parent().runs_alone()),
        under_way_(&comm.parent().memory()) {
    under_way_.reserve(few_messages);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    if (give_up()) return;
    for (Message& message : under_way_) {
      if (message.request != MPI_REQUEST_NULL) MPI_Request_free(&message.request);
    }
  }

  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  std::pmr::memory_resource& memory() const { return comm_.parent().memory(); }

  void send(const void* data, int count, MPI_Datatype type, int to) {
    // A request for what is sent already would take as long as half a short message.
    if (waits_ && message_bytes(count, type) <= sent_at_once) {
      throw_on_error(MPI_Send(data, count, type, comm_.parent_rank(to), tag_, mpi_comm()));
      return;
    }
    throw_on_error(
        MPI_Isend(data, count, type, comm_.parent_rank(to), tag_, mpi_comm(), next(false)));
  }
  void receive(void* data, int count, MPI_Datatype type, int from) {
    comm_.parent().matching().receive(data, count, type, comm_.parent_rank(from), tag_, next(true));
  }

  /// Whether all messages posted so far are through.
  bool settled() {
    // One after another: a look at messages that are not there yet costs one call, not all.
    while (through_ < under_way_.size()) {
      MPI_Request& request = under_way_[through_].request;
      if (waits_) {
        throw_on_error(MPI_Wait(&request, MPI_STATUS_IGNORE));
      } else if (!request_is_through(request)) {
        return false;
      }
      ++through_;
    }
    under_way_.clear();
    through_ = 0;
    return true;
  }

  /// Where an error has ended the operation, messages may be under way. This ends its receives;
  /// false if there are messages that it sends, which MPI cannot take back.
  bool give_up() { return under_way_.empty() || give_up_what_is_under_way(); }

  void add_pending(std::vector<PendingMessage>& pending) {
    for (std::size_t i = through_; i < under_way_.size(); ++i) {
      pending.push_back({&under_way_[i].request});
    }
  }

 private:
  struct Message {
    MPI_Request request;
    bool is_receive;
  };

  static constexpr std::size_t few_messages = 4;

  MPI_Comm mpi_comm() const { return comm_.parent().comm(); }
  MPI_Request* next(bool is_receive) {
    return &under_way_.emplace_back(Message{MPI_REQUEST_NULL, is_receive}).request;
  }

  bool give_up_what_is_under_way() {
    bool all = true;
    for (Message& message : under_way_) {
      if (message.is_receive) give_up_receive(message.request);
      all &= message.request == MPI_REQUEST_NULL;
    }
    return all;
  }

  Comm comm_;
  int tag_;
  bool waits_;
  std::pmr::vector<Message> under_way_;
  std::size_t through_ = 0;
};

}  // namespace regroup::range
