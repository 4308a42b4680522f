// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/config/experiment.hpp"

namespace regroup {

/// Measured times of items.
struct ProbedItems {
  std::string file;              ///< absolute path of items.csv
  std::map<int, double> item_s;  ///< by the number of ranks in the group
  int cores = 0;                 ///< available to all ranks

  double alone_ms() const { return 1000 * item_s.at(1); }
  /// Returns keys and values for a configuration with these item times.
  std::vector<std::pair<std::string, std::string>> keys() const;
  /// Returns a line for each group size.
  std::string text() const;
};

/// Measures the walker of `experiment`, a configuration of runs, in groups of 1, 2, 4, … ranks on
/// real processes, for about `seconds`. Stores the measurements in results/NAME-probe. Throws
/// UserError if there is not exactly one walker, if it does not compute, or if measuring fails.
ProbedItems probe(const Experiment& experiment, double seconds);

}  // namespace regroup
