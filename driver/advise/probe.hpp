// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/config/experiment.hpp"

namespace regroup {

/// What items were found to take.
struct ProbedItems {
  std::string file;              ///< the items.csv, from / on
  std::map<int, double> item_s;  ///< by the ranks of the group
  int cores = 0;                 ///< that the ranks had

  double alone_ms() const { return 1000 * item_s.at(1); }
  /// Keys of a configuration whose items take this, with their values.
  std::vector<std::pair<std::string, std::string>> keys() const;
  /// One line for each size.
  std::string text() const;
};

/// Measures the walker of `experiment`, a configuration of runs, in groups of 1, 2, 4, … ranks on
/// real processes, for about `seconds`. The measurements stay in results/NAME-probe. Throws
/// UserError where there is no walker to measure, or several, and where measuring fails.
ProbedItems probe(const Experiment& experiment, double seconds);

}  // namespace regroup
