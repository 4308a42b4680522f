// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/chains/state_files.hpp"
#include "regroup/convergence.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// The user interrupts the run. Ends the run even if errors normally end only a chain.
class RunInterrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Creates the walkers of an engine, and describes the handling of their chains.
struct WalkerSource {
  std::function<std::unique_ptr<Walker>(ChainName name)> make;
  bool has_state = false;                    ///< if false, no state is handed over
  bool computes = false;                     ///< items need cores; other items sleep
  bool open_end = false;                     ///< chains may end before all items are executed
  bool reproducible = true;                  ///< chains do not depend on the executing groups
  std::vector<std::string> quantities = {};  ///< names of the observed quantities
  /// Files from which chains continue, and to which they are saved at their end and after every
  /// `save_every` items; may be nullptr.
  const StateFiles* files = nullptr;
  std::int64_t save_every = 0;    ///< 0: at the end only
  std::int64_t report_every = 0;  ///< items between two reports; 0: no reports
  std::int64_t thin = 1;          ///< items between two draws
  bool keep_draws = false;        ///< whether reports contain the draws
  StoppingRule enough = {};       ///< the run ends when it is met
  bool errors_end_chain = false;  ///< an error in an item ends only its chain, not the run
  /// Chains that have already failed and have no items left. Only rank 0 needs the reasons.
  std::vector<ChainFailure> failed = {};
  std::vector<std::int64_t> executed_before = {};  ///< items of each chain in `files`; empty: 0
  std::vector<ChainReport> reports_before = {};    ///< reports of these items, on rank 0
  /// Called on rank 0 from time to time, if given.
  std::function<void(std::int64_t items, const Convergence& found)> on_reports = {};
  /// Called, if given, on the leader with each walker whose chain has ended and that has a state.
  std::function<void(int number, const Walker& walker)> at_end = {};
};

inline WalkerSource source_of(const WalkerEntry& walker, const Options& options) {
  return {[&walker, options](ChainName chain) { return walker.make(options, chain); },
          walker.state_bytes(options) > 0,
          !walker.timed,
          walker.open_end,
          walker.reproducible,
          walker.quantity_names()};
}

/// A member's copy of a chain: the walker and its progress.
class LiveChain {
 public:
  LiveChain(const WalkerSource& source, ChainName name);

  /// Number of the chain in the run, from 0.
  int number() const { return number_; }

  /// Number of executed items.
  std::int64_t items() const { return items_; }

  /// Executes the next item with `messages`. `seconds`: its time according to the configuration.
  /// Nests exceptions of the walker in a std::runtime_error with chain and item, which is also
  /// thrown if a draw is not finite.
  void execute(double seconds, Team& team, std::span<const State> messages = {});

  /// Calls joined() or leaving() of the walker. Throws like execute().
  void join(Team& team);
  void leave(Team& team);

  /// Returns whether the chain ends now, even if items are left.
  bool done() const { return walker_->done(); }

  /// Store the whole state, and restore it. unpack() throws std::runtime_error for a state of
  /// another chain or walker.
  State packed() const;
  void pack(State& state) const;  ///< replaces the contents of `state`
  void unpack(std::span<const std::byte> state);

  /// Returns the observations since the last report, possibly none, and starts the next report.
  ChainReport report();
  const Walker& walker() const { return *walker_; }

  /// Returns the result of the items executed so far.
  ChainEnd end() const;

 private:
  /// Calls `act` and adds chain and item to its exceptions.
  template <class Act>
  void naming_the_item(Act act) const;
  void observe();

  int number_;
  std::unique_ptr<Walker> walker_;
  std::span<const std::string> names_;  // of the quantities; empty without reports
  std::int64_t thin_;
  bool keep_draws_;
  std::int64_t items_ = 0;         // number of executed items
  std::uint64_t hash_ = 0;         // of the results of all items
  std::vector<double> draw_;       // the last one
  std::vector<Moments> observed_;  // since the last report
  std::vector<double> draws_;      // since the last report, if draws are stored
};

/// Returns the number of the chain to which `state` belongs.
int number_of(std::span<const std::byte> state);

}  // namespace regroup
