// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "regroup/waiter.hpp"

namespace regroup {

/// State shared by the tests of one process.
struct TestWorld {
  int rank = 0;
  int ranks = 0;
  Waiter waiter;  ///< polite, since tests have more ranks than cores
};

inline TestWorld& world() {
  static TestWorld shared = [] {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return TestWorld{rank, ranks, Waiter(Waiting::polite, ranks)};
  }();
  return shared;
}

/// Completes `request`, with polite waiting.
inline void complete(MPI_Request request) { world().waiter.wait(request); }

inline void barrier(MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  complete(request);
}

inline MPI_Request send_to(int to, const int& value, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&value, 1, MPI_INT, to, tag, comm, &request);
  return request;
}

inline MPI_Request receive_from(int from, int& value, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&value, 1, MPI_INT, from, tag, comm, &request);
  return request;
}

/// Returns the members' ranks of the world, in the order of `comm`.
inline std::vector<int> ranks_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  world().waiter.blocking(
      [&] { MPI_Allgather(&world().rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, comm); });
  return ranks;
}

/// Returns how runs in tests wait: their ranks outnumber the cores.
inline const char* crowded_waiting() {
  return Waiter::wrapper_is_in_place() ? "wrapper" : "polite";
}

}  // namespace regroup
