// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#include "regroup/waiter.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// Returns `bytes` as the length of an MPI message. Throws std::length_error for 2 GiB and more.
int message_length(std::size_t bytes);

/// Sends `state` to the rank `to` of `world`, and waits for the send to complete. Throws
/// std::length_error for 2 GiB and more.
void send_state(const State& state, int to, int tag, const Waiter& waiter, MPI_Comm world);

/// Receives a state from the rank `from` of `world`, which may be MPI_ANY_SOURCE.
State receive_state(int from, int tag, const Waiter& waiter, MPI_Comm world);

}  // namespace regroup
