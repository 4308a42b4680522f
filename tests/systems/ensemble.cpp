// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <cstdio>
#include <regroup/engine.hpp>
#include <regroup/program.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  regroup::Ensemble ensemble;
  ensemble.items = {400, 50, 50, 50};
  const auto& walker = *regroup::find_entry(regroup::standard_catalog().walkers, "lennard_jones");
  ensemble.make = [&](regroup::ChainName chain) {
    return walker.make(regroup::with_fallbacks(walker).options, chain);
  };
  const regroup::Outcome outcome = regroup::execute(ensemble, MPI_COMM_WORLD);
  if (!outcome.lives.empty()) std::printf("chains_hash %s\n", outcome.chains_hash.c_str());
  MPI_Finalize();
}
