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

/// The states of chains in a directory, from which an ended run continues: CHAIN.state, the last
/// one of each chain, CHAIN.reports, what it had reported by then and perhaps later, a line for
/// each, CHAIN.told, what it told other chains, and CHAIN.failed, where and why it failed. One
/// process writes a chain's at a time.
class StateFiles {
 public:
  /// A chain as a file has it.
  struct Saved {
    std::int64_t items = 0;  ///< that were executed
    bool done = false;       ///< it has ended by itself
    State state;
  };

  /// `kind` identifies the chains: walker, options, stream, and how they report. Others are
  /// refused.
  StateFiles(std::string directory, std::string kind)
      : directory_(std::move(directory)), kind_(std::move(kind)) {}

  const std::string& directory() const { return directory_; }

  /// Replaces what there is of that chain, in one step.
  void write(int chain, const Saved& saved) const;

  /// Nothing if there is none. Throws UserError, which names the file, if it is damaged or of
  /// another chain.
  std::optional<Saved> read(int chain) const;

  /// Adds one that its chain made before its next state is written.
  void add(const ChainReport& report) const;

  /// The chain has failed: whoever continues the run goes on without it.
  void write(const ChainFailure& failure) const;

  /// Nothing if the chain has not failed. Throws UserError, which names the file, if it is damaged.
  std::optional<ChainFailure> failure(int chain) const;

  /// The reports of a chain up to its state, which has executed `items`; later ones are removed,
  /// since they will be made again.
  std::vector<ChainReport> take_reports(int chain, std::int64_t items) const;

  /// Adds what chain `from` tells `to` at the end of its item `item`; perhaps once more.
  void add_message(int from, std::int64_t item, int to, const State& content) const;

  /// What was added. Throws UserError where it was not.
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

/// The numbers of those of the chains 0, 1, …, with `items` to execute, that have no state.
RankSet chains_without_state(std::span<const std::int64_t> items, const StateFiles& files);

/// What `files` leave of `items`, those of the chains 0, 1, …; nothing of chains that have failed.
/// Throws UserError if one is damaged, of other chains, or of a longer one.
std::vector<std::int64_t> items_left(std::span<const std::int64_t> items, const StateFiles& files);

/// The directory of states beside the file of a task, RUN.task.json: RUN.states.
std::string states_beside(const std::string& task_file);

}  // namespace regroup
