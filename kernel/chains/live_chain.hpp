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

/// An error that ends the run wherever it occurs: the user interrupts it.
class RunInterrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How an engine makes walkers, and what it does with their chains.
struct WalkerSource {
  std::function<std::unique_ptr<Walker>(ChainName name)> make;
  bool has_state = false;                    ///< if not, nothing is handed over
  bool computes = false;                     ///< their items need cores; others sleep
  bool open_end = false;                     ///< they may be done before they have no items left
  bool reproducible = true;                  ///< whoever executes a chain, it is the same
  std::vector<std::string> quantities = {};  ///< that they observe
  /// Where chains continue from, and are saved to at their end and after every `save_every` items;
  /// may be nullptr.
  const StateFiles* files = nullptr;
  std::int64_t save_every = 0;    ///< 0: at the end only
  std::int64_t report_every = 0;  ///< items after which they tell what they observed; 0: never
  std::int64_t thin = 1;          ///< every so many items end with a draw
  bool keep_draws = false;        ///< reports have them
  StoppingRule enough = {};       ///< the run ends when they have observed it
  bool errors_end_chain = false;  ///< an error in an item ends its chain, and else the run
  /// Chains that the run goes on without: they have no items left. Rank 0 alone needs the reasons.
  std::vector<ChainFailure> failed = {};
  std::vector<std::int64_t> executed_before = {};  ///< items of each by `files`; none: as if 0
  std::vector<ChainReport> reports_before = {};    ///< on rank 0: what they reported then
  /// Called on rank 0 now and then, if given.
  std::function<void(std::int64_t items, const Convergence& found)> on_reports = {};
  /// Called, if given, with each walker with a state whose chain has ended, on its leader.
  std::function<void(int number, const Walker& walker)> at_end = {};
};

/// Of walkers of this kind.
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
  /// At its start.
  LiveChain(const WalkerSource& source, ChainName name);

  /// 0, 1, … in the run.
  int number() const { return number_; }

  /// Items that were executed.
  std::int64_t items() const { return items_; }

  /// Executes the next item, which takes `seconds` by the configuration and has got `messages`.
  /// Throws std::runtime_error with chain and item around what the walker throws, and where a draw
  /// has no finite number.
  void execute(double seconds, Team& team, std::span<const State> messages = {});

  /// The walker joins `team`, or leaves it. Throws as execute() does.
  void join(Team& team);
  void leave(Team& team);

  /// Whether it ends here, whatever items it has left.
  bool done() const { return walker_->done(); }

  /// The whole state, and back. unpack() throws std::runtime_error for a state of another chain or
  /// walker.
  State packed() const;
  void pack(State& state) const;  ///< into `state` instead of what is there
  void unpack(std::span<const std::byte> state);

  /// What it observed since the last report, perhaps without samples; starts the next.
  ChainReport report();
  const Walker& walker() const { return *walker_; }

  /// What it has come to by now.
  ChainEnd end() const;

 private:
  /// Calls `act`; adds chain and item to what it throws.
  template <class Act>
  void naming_the_item(Act act) const;
  void observe();

  int number_;
  std::unique_ptr<Walker> walker_;
  std::span<const std::string> names_;  // of the quantities; none where nobody asks for them
  std::int64_t thin_;
  bool keep_draws_;
  std::int64_t items_ = 0;         // that were executed
  std::uint64_t hash_ = 0;         // of what each of them came to
  std::vector<double> draw_;       // the last
  std::vector<Moments> observed_;  // since the last report
  std::vector<double> draws_;      // … too, where they are kept
};

/// The number of the chain whose state it is.
int number_of(std::span<const std::byte> state);

}  // namespace regroup
