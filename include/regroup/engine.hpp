// SPDX-License-Identifier: BSD-3-Clause
//
// The engine alone, for applications with a main() of their own: `Ensemble` and `execute`.
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

// The engine alone: for an application that has its own main(), its own parameters and its own
// results, and wants the load of its Markov chains balanced.

/// Markov chains, and how their load is to be balanced. The same on every rank.
struct Ensemble {
  /// The walker at the start of a chain, which draws by nothing but what is passed. Any rank may
  /// need any of them.
  std::function<std::unique_ptr<Walker>(ChainName chain)> make;
  /// Of each chain: 0, 1, … At least as many chains as groups; those that find none wait. Of chains
  /// that end by themselves, the most.
  std::vector<std::int64_t> items;
  int group_size = 1;                   ///< ranks of a group at the start; the last may be smaller
  Choice balancer{"asynchronous", {}};  ///< with those options that are not to be as usual
  std::string strategy = "range";       ///< how communicators are made; of no meaning with `none`
  double item_ms = 1;      ///< what one rank takes for an item, about: forecasts start from it
  std::uint64_t seed = 1;  ///< the same chains as with this seed in the first repetition of a sweep
  std::string waiting = "auto";  ///< auto, wrapper, polite or direct, as in a configuration
  /// Items after which a chain tells what it observed (Walker::observed()); 0: never. What was told
  /// is in Outcome::reports.
  std::int64_t report_every = 0;
  /// With reports: what they must come to for the run to end although chains have items left. The
  /// outcome's reports and chains_hash are then as of Outcome::enough_items, which does not depend
  /// on balancer or ranks; how far beyond chains were by then, does.
  StoppingRule enough;
  /// Where given, rank 0 shows it now and then what the chains have observed, after so many items
  /// each. It must not communicate.
  std::function<void(std::int64_t items, const Convergence& found)> on_reports;
  /// Where given, is shown each walker when its chain has ended, on the rank that leads its group
  /// then: once for each chain. It must not communicate.
  std::function<void(int number, const Walker& walker)> at_end;
};

/// Executes all chains on the processes of `comm`. Collective over `comm`, on which nothing else
/// may be sent meanwhile; MPI must be initialised. Rank 0 gets the whole outcome: makespan_s(),
/// chains_hash, every group that there was; other ranks what they know of it.
/// Throws std::invalid_argument, on every rank, for what cannot be executed, with what is allowed.
Outcome execute(const Ensemble& ensemble, MPI_Comm comm, const Catalog& catalog = make_catalog());

}  // namespace regroup
