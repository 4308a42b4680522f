// SPDX-License-Identifier: BSD-3-Clause
//
// Extends the chains of runs that have ended: `regroup run --extend`.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "driver/config/experiment.hpp"
#include "driver/execute/sweep.hpp"

namespace regroup {

/// The runs in a directory of results that ended well, with their numbers of extra items.
class ExtendedRuns {
 public:
  /// Throws UserError if there are no results of runs.
  ExtendedRuns(std::string directory, const Catalog& catalog);

  /// Returns the most extra items, below `limit`, with which the run ended well; nothing if none.
  std::optional<int> extra_items(Task run, int limit = most_extra_items + 1) const;

  /// Returns the directory of the states of a run.
  std::string states(const Task& run) const;
  /// Returns the directory of the states of the same run with `extra_items` extra items.
  std::string states(Task run, int extra_items) const;

  /// Removes the states of the runs that precede the run which `run` continues.
  void remove_older(const Task& run) const;

  static constexpr int most_extra_items = 1'000'000'000;

 private:
  std::string directory_;
  std::set<int> extra_items_;                // of all rows
  std::unordered_set<std::uint64_t> ended_;  // hashes of the runs that ended well
};

/// Returns whether a directory of states contains anything.
bool has_states(const std::string& directory);

/// Returns the value of `extra_items` for executing `experiment`, so that all of its runs continue
/// by `options.extend` items, or to the end of an interrupted extension. Throws UserError if they
/// cannot continue.
int extended_items(const Experiment& experiment, const SweepOptions& options);

}  // namespace regroup
