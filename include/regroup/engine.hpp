// SPDX-License-Identifier: BSD-3-Clause
//
// The engine alone: for an application that has its own main(), parameters and results, and wants
// the load of its Markov chains balanced.
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

/// Markov chains, and how their load is to be balanced. The same on every rank.
struct Ensemble {
  /// Makes the walker at the start of a chain. Any rank may need any of them.
  std::function<std::unique_ptr<Walker>(ChainName chain)> make;
  /// Of each chain: 0, 1, … At least as many as groups; the rest wait. For chains that end by
  /// themselves, the most.
  std::vector<std::int64_t> items;
  int group_size = 1;             ///< ranks of a group at the start; the last may be smaller
  Choice balancer{"spread", {}};  ///< with those options that are not to be as usual
  std::string strategy = "create_group";  ///< how communicators are made; of no meaning with `none`
  double item_ms = 1;      ///< what one rank takes for an item, about: forecasts start from it
  std::uint64_t seed = 1;  ///< the same chains as with this seed in the first repetition of a sweep
  std::string waiting = "auto";  ///< auto, wrapper, polite or direct, as in a configuration
  bool reproducible = true;      ///< as in WalkerEntry: if not, Outcome::chains_hash is empty
  bool exchanges = false;        ///< chains exchange messages: Walker::needs and tell
  /// end_run, or end_chain: an error in an item ends its chain alone (Outcome::failures); see
  /// Walker::execute.
  std::string chain_errors = "end_run";
  /// What walkers observe, by name (Walker::observe). Names that end with "__" are about the
  /// sampler itself.
  std::vector<std::string> quantities = {};
  /// Items after which a chain reports what it observed (Outcome::reports); 0: never.
  std::int64_t report_every = 0;
  std::int64_t thin = 1;   ///< every so many items end with a draw
  bool keep_draws = true;  ///< in the reports; convergence_of() is rougher without them
  /// With reports: ends the run early. Outcome::reports and chains_hash are then those at
  /// Outcome::enough_items, whatever the balancer and the ranks.
  StoppingRule enough;
  /// Items after which the state of a chain is saved in the directory `states`, and at its end; 0:
  /// never. Chains that have a state there continue from it, so an ended program can be run again.
  /// All ranks see the directory, and remove() what is there to begin anew.
  std::int64_t save_every = 0;
  std::string states = {};
  /// Called now and then on rank 0 with what was observed. Must not communicate.
  std::function<void(std::int64_t items, const Convergence& found)> on_reports;
  /// Called with each walker when its chain has ended, on the leader of its group. Must not
  /// communicate.
  std::function<void(int number, const Walker& walker)> at_end;
};

/// Executes all chains on the processes of `comm`. Collective; nothing else may be sent on `comm`
/// meanwhile. Rank 0 gets the whole outcome, other ranks what they know of it. Throws
/// std::invalid_argument, on every rank, for what cannot be executed, and std::runtime_error if the
/// launcher belongs to another MPI library, so that each rank is alone. Where a walker throws
/// and chain_errors is end_run, std::runtime_error with chain and item, on that rank: others may
/// wait for it, so end them all.
Outcome execute(const Ensemble& ensemble, MPI_Comm comm, const Catalog& catalog = make_catalog());

}  // namespace regroup
