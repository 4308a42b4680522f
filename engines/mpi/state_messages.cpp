// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/state_messages.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace regroup {

void send_state(const State& state, int to, int tag, const Waiter& waiter, MPI_Comm world) {
  if (state.size() > std::numeric_limits<int>::max()) {
    throw std::length_error(fmt::format("a message of {} bytes is too long", state.size()));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(state.data(), static_cast<int>(state.size()), MPI_BYTE, to, tag, world, &request);
  waiter.wait(request);
}

ArrivedState receive_state(int tag, const Waiter& waiter, MPI_Comm world) {
  MPI_Status status;
  waiter.until([&] {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, world, &found, &status);
    return found != 0;
  });
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  ArrivedState arrived{status.MPI_SOURCE, State(static_cast<std::size_t>(bytes))};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(arrived.state.data(), bytes, MPI_BYTE, arrived.from, tag, world, &request);
  waiter.wait(request);
  return arrived;
}

}  // namespace regroup
