// SPDX-License-Identifier: BSD-3-Clause
//
// A pool that evaluates a function at many points. Each evaluation is itself parallel.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <regroup/pool.hpp>
#include <vector>

using regroup::FixedPoint;
using regroup::Packer;
using regroup::State;
using regroup::Unpacker;

namespace {

/// The integral of cos(x t) for t from 0 to 1, by the midpoint rule; a larger x takes longer.
State integral(std::span<const std::byte> task, regroup::Team& team) {
  const double x = Unpacker(task).take<double>();
  const int steps = 100'000 * (1 + static_cast<int>(x));
  double own = 0;
  for (int i = team.rank(); i < steps; i += team.size()) own += std::cos(x * (i + 0.5) / steps);
  State result;
  Packer(result).put(team.sum(FixedPoint::of(own)).value() / steps);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    regroup::Pool pool(MPI_COMM_WORLD, integral);
    if (pool.is_master()) {
      std::vector<State> tasks;
      for (int i = 1; i <= 12; ++i) Packer(tasks.emplace_back()).put(0.5 * i);
      for (int round = 1; round <= 4; ++round) {
        const std::vector<State> results = pool.map(tasks);
        std::printf("round %d: %.3f s, the integral for 6 is %.6f\n", round,
                    pool.last_round().seconds, Unpacker(results.back()).take<double>());
      }
    } else {
      pool.serve();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "evaluate: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
