// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/catalog.hpp"

namespace regroup {

/// The options of `regroup reproduce`, which repeats the paper's experiments.
struct ReproduceOptions {
  std::string what =
      "all";  ///< table1, figure2, failure or all, in virtual time; figure1, measured
  std::string format = "text";       ///< or json
  std::string directory;             ///< of existing measurements for figure1; empty: measure
  std::string out;                   ///< directory of new measurements; empty: results/figure1
  std::vector<std::string> changes;  ///< to their configuration, as by --set
  std::string command;               ///< the command line, for the provenance
};

/// Judges the paper's claims. Returns the exit code: 1 if one is missed, or that of measurements.
int reproduce(const ReproduceOptions& options, const Catalog& catalog);

}  // namespace regroup
