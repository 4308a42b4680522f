// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "engines/mpi/chains.hpp"
#include "engines/mpi/position.hpp"
#include "kernel/run.hpp"
#include "regroup/communicator.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// What executes a run on real processes.
struct Hands {
  MakeCommunicator make = nullptr;  ///< the code of the run's strategy; nullptr where it has none
  WalkerSource walkers;
  std::string waiting = "auto";  ///< how processes are to wait: auto, wrapper, polite or direct
  std::function<void()> on_start = nullptr;  ///< where given, rank 0 calls it at the common start
  Position* position = nullptr;              ///< if given, updated by this rank
};

/// Executes `run`. Collective over `world`, on which nothing else may be sent meanwhile. Rank 0
/// gets the whole outcome, other ranks what they know of it. Throws std::invalid_argument if
/// `world` has another number of ranks.
Outcome execute(RunInput run, const Hands& hands, MPI_Comm world);

}  // namespace regroup
