// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/state_messages.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace regroup {

int message_length(std::size_t bytes) {
  constexpr int most = std::numeric_limits<int>::max();
  if (bytes <= most) return static_cast<int>(bytes);
  throw std::length_error(
      fmt::format("a message of {} bytes is too long; at most {}", bytes, most));
}

void send_state(const State& state, int to, int tag, const Waiter& waiter, MPI_Comm world) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(state.data(), message_length(state.size()), MPI_BYTE, to, tag, world, &request);
  waiter.wait(request);
}

State receive_state(int from, int tag, const Waiter& waiter, MPI_Comm world) {
  MPI_Status status;
  waiter.until([&] {
    int found = 0;
    MPI_Iprobe(from, tag, world, &found, &status);
    return found != 0;
  });
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  State state(static_cast<std::size_t>(bytes));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(state.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, world, &request);
  waiter.wait(request);
  return state;
}

}  // namespace regroup
