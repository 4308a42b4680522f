// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "regroup/waiter.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// Sends `state` to the rank `to` of `world`, and waits until it has left. Throws std::length_error
/// for 2 GiB and more.
void send_state(const State& state, int to, int tag, const Waiter& waiter, MPI_Comm world);

struct ArrivedState {
  int from = 0;
  State state;
};
/// Waits for a message with this `tag` from any rank of `world`.
ArrivedState receive_state(int tag, const Waiter& waiter, MPI_Comm world);

}  // namespace regroup
