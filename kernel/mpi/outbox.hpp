// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <list>

#include "communicators/waiting/waiter.hpp"
#include "kernel/mpi/letter.hpp"

namespace regroup {

/// Sends letters without waiting for their receivers. It keeps what MPI has not taken over yet,
/// until reap() or finish().
class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Under `tag`; what does not fit into its first part follows under the next.
  void send(const Letter& letter, int to, int tag, MPI_Comm comm);

  /// Completes what has reached its receiver by now, oldest first, up to the first that has not.
  void reap();

  /// Waits until all receivers have what was sent to them, or MPI has taken it over.
  void finish(const Waiter& waiter);

 private:
  struct Sent {
    Letter letter;
    MPI_Request first = MPI_REQUEST_NULL;
    MPI_Request rest = MPI_REQUEST_NULL;
  };

  std::list<Sent> under_way_;
  std::list<Sent> spare_;
};

/// Begins to receive the first part of `letter`, from `from` or anybody.
void begin_to_receive(Letter& letter, int from, int tag, MPI_Comm comm, MPI_Request& request);

/// Receives what follows the first part, if anything; `from` sent it, under `tag`.
void receive_rest(Letter& letter, int from, int tag, MPI_Comm comm, const Waiter& waiter);

}  // namespace regroup
