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

/// What a run needs to go on when ranks are lost. Then nothing of it returns: each rank that is
/// left leaves its old phase behind where it is, and the process ends with the run.
struct Recovery {
  LossWatch& watch;
  /// On rank 0 of those that are left, where states are saved: what these leave of the chains 0, 1,
  /// …; sets what they had executed and reported by then, and which had failed.
  std::function<Items(WalkerSource& walkers)> read_states;
  /// What a rank that was lost had written down; nothing where that is lost, too.
  std::function<std::vector<std::byte>(int rank)> last_record;
  /// Stores the outcome, on rank 0 of those that are left, before any rank ends.
  std::function<void(Outcome outcome)> store;
};

/// What executes a run on real processes.
struct Hands {
  MakeCommunicator make = nullptr;  ///< the code of the run's strategy; nullptr where it has none
  WalkerSource walkers;
  /// together: at a moment that lies ahead for all ranks, for measurements. at_once: each as soon
  /// as it knows that rank 0 has begun, and the time counts from there.
  enum class Start { together, at_once } start = Start::together;
  std::function<void()> on_start = nullptr;  ///< where given, rank 0 calls it at the common start
  Position* position = nullptr;              ///< if given, updated by this rank
  double began_s = MPI_Wtime();              ///< Outcome::setup_s counts from here
  double slower = 1;             ///< items of this rank take so many times as long as they would
  Recovery* recovery = nullptr;  ///< if given, the run goes on when ranks are lost
};

/// Executes `run`. Collective over `processes`, on whose communicator nothing else may be sent
/// meanwhile. Rank 0 gets the whole outcome, other ranks what they know of it. Throws
/// std::invalid_argument if there is another number of ranks.
Outcome execute(std::shared_ptr<const RunInput> run, const Hands& hands, Processes& processes);

}  // namespace regroup
