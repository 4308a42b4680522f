// SPDX-License-Identifier: BSD-3-Clause
//
// The engine alone: an application whose chains Regroup balances.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <regroup/engine.hpp>

#include "posterior.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    regroup::Ensemble ensemble;
    ensemble.items = {90, 50, 150, 60, 200, 80};
    ensemble.make = [](regroup::ChainName chain) {
      return std::make_unique<Posterior>(200, 20, 10, 0.4, chain);
    };
    // Called on the leader of the chain's group when the chain has ended.
    ensemble.at_end = [](int number, const regroup::Walker& walker) {
      const Parameters mean = dynamic_cast<const Posterior&>(walker).mean();
      std::printf("chain %d: a %.6f, b %.6f\n", number, mean.a, mean.b);
    };
    const regroup::Outcome outcome = regroup::execute(ensemble, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
      std::printf("chains_hash %s, %.3f s\n", outcome.chains_hash.c_str(), outcome.makespan_s());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "own_main: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
