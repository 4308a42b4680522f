// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

// Point-to-point messages between the members of a range communicator, with the meaning of MPI's
// functions of the same names. Ranks are the communicator's, also in a status; tags are 0 …
// Parent::max_tag. Called by the two members alone. MPI_PROC_NULL is not a member.
//
// Wildcards see messages of members only, whatever others have sent to this process. To be known:
// - MPI_ANY_SOURCE and MPI_ANY_TAG cost one look at MPI's queue unless a message of a non-member,
//   or of a collective, is ahead in it; then one look at every member, or at every tag.
// - Of messages that have already arrived, MPI_ANY_TAG then prefers the lowest tag, not the first.
// - A wildcard irecv takes its message when somebody tests or waits, not when it is posted: of
//   several receives that match the same message, one that names source and tag goes first.
// - On two communicators that share two processes, a wildcard sees the messages of both.
//
// Misuse throws std::invalid_argument; MPI's own errors go to the parent communicator's handler.

void send(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
void recv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm,
          MPI_Status* status = MPI_STATUS_IGNORE);

Request isend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
Request irecv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm);

/// Waits until there is a message to receive.
void probe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

/// Whether there is a message to receive.
bool iprobe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

}  // namespace regroup::range
