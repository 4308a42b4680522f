// SPDX-License-Identifier: BSD-3-Clause
//
// Runs whose chains go on: `regroup run --extend`.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "driver/config/experiment.hpp"
#include "driver/execute/sweep.hpp"

namespace regroup {

/// Which runs in a directory of results ended well, with how many extra items.
class ExtendedRuns {
 public:
  /// Throws UserError where there are no results of runs.
  ExtendedRuns(std::string directory, const Catalog& catalog);

  /// The most extra items, below `limit`, with which the run has ended well; nothing if it has not.
  std::optional<int> extra_items(Task run, int limit = most_extra_items + 1) const;

  /// The directory of the states of a run.
  std::string states(const Task& run) const;
  /// … of the same run with other extra items.
  std::string states(Task run, int extra_items) const;

  /// Removes the states of the runs before that which `run` continues.
  void remove_older(const Task& run) const;

  static constexpr int most_extra_items = 1'000'000'000;

 private:
  std::string directory_;
  std::set<int> extra_items_;                // of all rows
  std::unordered_set<std::uint64_t> ended_;  // well
};

/// Whether there is anything in a directory of states.
bool has_states(const std::string& directory);

/// The value of `extra_items` with which `experiment` is to be executed, so that all of its runs go
/// on by `options.extend` items, or end where an interrupted extension would have ended. Throws
/// UserError where they cannot go on.
int extended_items(const Experiment& experiment, const SweepOptions& options);

}  // namespace regroup
