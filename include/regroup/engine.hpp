// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as a library: for applications with their own main(), parameters and results that
// balance the load of their Markov chains.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "regroup/catalog.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Markov chains, and the way their load is balanced. Must be equal on all ranks.
struct Ensemble {
  /// Creates the walker at the start of a chain. Every rank may need every walker.
  std::function<std::unique_ptr<Walker>(ChainName chain)> make;
  /// Number of items of each chain 0, 1, …; the maximum for chains that end by themselves. There
  /// must be at least as many chains as groups; further chains wait.
  std::vector<std::int64_t> items;
  int group_size = 1;             ///< ranks of a group at the start; the last may be smaller
  Choice balancer{"spread", {}};  ///< options that are not given have their defaults
  std::string strategy = "create_group";  ///< communicator strategy; not used by `none`
  double item_ms = 1;  ///< approximate time of an item on one rank; initial value of forecasts
  std::uint64_t seed =
      1;  ///< gives the same chains as the first repetition of a sweep with this seed
  std::string waiting = "auto";  ///< auto, wrapper, polite or direct, as in a configuration
  bool reproducible = true;      ///< as in WalkerEntry; if false, Outcome::chains_hash is empty
  bool exchanges = false;        ///< whether chains exchange messages (Walker::needs and tell)
  /// end_run: an error in an item ends the run. end_chain: it ends only the chain
  /// (Outcome::failures). See Walker::execute.
  std::string chain_errors = "end_run";
  /// Names of the observed quantities (Walker::observe). Names that end with "__" describe the
  /// sampler itself.
  std::vector<std::string> quantities = {};
  /// Items between two reports of a chain's observations (Outcome::reports); 0: no reports.
  std::int64_t report_every = 0;
  std::int64_t thin = 1;   ///< items between two draws
  bool keep_draws = true;  ///< in the reports; convergence_of() is less accurate without draws
  /// Stopping rule, needs reports: ends the run early. Outcome::reports and chains_hash are then
  /// those at Outcome::enough_items, for every balancer and number of ranks.
  StoppingRule enough;
  /// Items between two saved states of a chain, in the directory `states`; the final state is also
  /// saved. 0: states are not saved. Chains with a saved state continue from it, so an interrupted
  /// program can be run again; to start from the beginning, delete the directory's contents. All
  /// ranks must see the same directory.
  std::int64_t save_every = 0;
  std::string states = {};
  /// Called from time to time on rank 0 with the current convergence. Must not communicate.
  std::function<void(std::int64_t items, const Convergence& found)> on_reports;
  /// Called on the leader of the group with each walker whose chain has ended. Must not
  /// communicate.
  std::function<void(int number, const Walker& walker)> at_end;
};

/// Executes all chains on the processes of `comm`. Collective; meanwhile, nothing else may be sent
/// on `comm`. Rank 0 returns the whole outcome, other ranks only their part. Throws on all ranks
/// std::invalid_argument if `ensemble` cannot be executed, and std::runtime_error if the launcher
/// belongs to another MPI library, so that each rank runs alone. If a walker throws and
/// chain_errors is end_run, throws std::runtime_error with chain and item on that rank; other ranks
/// may wait for it, so abort all of them.
Outcome execute(const Ensemble& ensemble, MPI_Comm comm, const Catalog& catalog = make_catalog());

}  // namespace regroup
