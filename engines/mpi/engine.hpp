// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>

#include "engines/mpi/chains.hpp"
#include "engines/mpi/loss_watch.hpp"
#include "engines/mpi/position.hpp"
#include "engines/mpi/processes.hpp"
#include "kernel/run.hpp"
#include "regroup/communicator.hpp"
#include "regroup/outcome.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// Needed by runs that go on after a loss of ranks. After a loss, execute() does not return: each
/// surviving rank abandons its previous phase, and its process exits at the end of the run.
struct Recovery {
  LossWatch& watch;
  /// Called on rank 0 of the survivors if states are saved: returns the items left of the chains
  /// 0, 1, … by these states; sets their executed items, reports and failures in `walkers`.
  std::function<Items(WalkerSource& walkers)> read_states;
  /// Returns the record of a lost rank; empty if the record is lost, too.
  std::function<std::vector<std::byte>(int rank)> last_record;
  /// Stores the outcome. Called on rank 0 of the survivors, before any rank exits.
  std::function<void(Outcome outcome)> store;
};

/// The parts of a run on real processes that are not in its RunInput.
struct RealRun {
  MakeCommunicator make = nullptr;  ///< the strategy of the run; nullptr if it has none
  WalkerSource walkers;
  /// together: all ranks start at the same time, for measurements. at_once: each rank starts when
  /// it learns that rank 0 has started, and times count from the start of rank 0.
  enum class Start { together, at_once } start = Start::together;
  std::function<void()> on_start = nullptr;  ///< if given, rank 0 calls it at the common start
  Position* position = nullptr;              ///< if given, updated by this rank
  double began_s = MPI_Wtime();              ///< Outcome::setup_s counts from here
  double slower = 1;                         ///< factor by which items of this rank take longer
  Recovery* recovery = nullptr;              ///< if given, the run goes on after a loss of ranks
};

/// Executes `run`. Collective over `processes`, whose communicator must not carry other messages
/// meanwhile. Returns the whole outcome on rank 0, and a part of it on other ranks. Throws
/// std::invalid_argument if the number of processes is not that of the run.
Outcome execute(std::shared_ptr<const RunInput> run, const RealRun& real, Processes& processes);

}  // namespace regroup
