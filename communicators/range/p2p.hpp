// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

// Point-to-point messages between the members of a range communicator, with the meaning of MPI's
// functions of the same names. Ranks are the communicator's, also in a status; tags are 0 …
// Parent::max_message_tag(). Called by the two members alone. What goes to MPI_PROC_NULL, or comes
// from there, is complete at once.
//
// Messages match receives in the order in which these were posted, on whatever communicators of the
// Parent, and those of one sender in the order in which they were sent; a probe does not show what
// a receive that was posted before will take. Wildcards see messages of members only, whatever
// others have sent to this process. To be known:
// - On two communicators that share two processes and a channel, a wildcard sees the messages of
//   both.
// - What the user has sent on the parent communicator itself and nobody has received is ahead of
//   later messages of its sender: as long as it is, MPI_ANY_TAG looks at every tag, which takes
//   milliseconds, and prefers the lowest, not the first.
// - A wildcard looks for its message when somebody tests or waits, unless it is one of any source
//   with a tag, on a communicator of all ranks: that MPI can do by itself.
//
// Misuse throws std::invalid_argument; MPI's own errors go to the parent communicator's handler.

void send(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
void recv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm,
          MPI_Status* status = MPI_STATUS_IGNORE);

/// As send, but complete only when the receiver has begun to receive.
void ssend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
Request issend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);

/// Sends and receives at the same time.
void sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* result,
              int result_count, MPI_Datatype result_type, int from, int result_tag,
              const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

Request isend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
Request irecv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm);

/// Waits until there is a message to receive.
void probe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

/// Whether there is a message to receive.
bool iprobe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

}  // namespace regroup::range
