// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "regroup/convergence.hpp"
#include "regroup/groups.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// The files in a directory from which a run can be resumed. CHAIN.state contains the last saved
/// state of a chain, CHAIN.reports one line per report (possibly also later ones), CHAIN.told its
/// messages to other chains, and CHAIN.failed the item and reason of a failure. At any time, only
/// one process may write the files of a chain.
class StateFiles {
 public:
  /// The contents of a state file.
  struct Saved {
    std::int64_t items = 0;  ///< number of executed items
    bool done = false;       ///< whether the chain has ended (Walker::done)
    State state;
  };

  /// `kind` identifies the chains: walker, options, stream and report settings. Files of another
  /// kind are refused.
  StateFiles(std::string directory, std::string kind)
      : directory_(std::move(directory)), kind_(std::move(kind)) {}

  const std::string& directory() const { return directory_; }

  /// Replaces the state file of `chain` atomically.
  void write(int chain, const Saved& saved) const;

  /// Returns std::nullopt if there is no file. Throws UserError with the file if it is damaged or
  /// belongs to another chain.
  std::optional<Saved> read(int chain) const;

  /// Adds a report. Must be called before the next state of the chain is written.
  void add(const ChainReport& report) const;

  /// Marks the chain as failed: resumed runs skip it.
  void write(const ChainFailure& failure) const;

  /// Returns std::nullopt if the chain has not failed. Throws UserError like read().
  std::optional<ChainFailure> failure(int chain) const;

  /// Returns the reports of the first `items` items of a chain. Removes later ones from the file,
  /// because the resumed run repeats them.
  std::vector<ChainReport> take_reports(int chain, std::int64_t items) const;

  /// Adds the message from chain `from` to `to` after item `item`. A message may be added again.
  void add_message(int from, std::int64_t item, int to, const State& content) const;

  /// Returns an added message. Throws UserError with the file if it is missing.
  State message(int from, std::int64_t item, int to) const;

 private:
  std::string messages_path(int chain) const;
  std::string path(int chain) const;
  std::string failure_path(int chain) const;
  std::string failure_text(const ChainFailure& failure) const;
  std::string reports_path(int chain) const;
  std::string head(int chain, const Saved& saved) const;

  std::string directory_;
  std::string kind_;
};

/// Returns those of the chains 0, 1, … that have `items` to execute, no state and no failure.
RankSet chains_without_state(std::span<const std::int64_t> items, const StateFiles& files);

/// Returns the items that remain of `items` after the states in `files`; 0 for failed chains.
/// Throws UserError if a file is damaged, belongs to other chains or has more items than its chain.
std::vector<std::int64_t> items_left(std::span<const std::int64_t> items, const StateFiles& files);

/// Returns the directory of states of the task file RUN.task.json: RUN.states.
std::string states_beside(const std::string& task_file);

}  // namespace regroup
