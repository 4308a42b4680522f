// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/catalog.hpp"

namespace regroup {

/// Repeats the paper's experiments and judges them claim by claim.
struct ReproduceOptions {
  std::string what =
      "all";  ///< table1, figure2, failure or all, in virtual time; figure1, measured
  std::string format = "text";       ///< or json
  std::string directory;             ///< of measurements for figure1; empty: they are made
  std::string out;                   ///< where to; empty: results/figure1
  std::vector<std::string> changes;  ///< of their configuration, as by --set
  std::string command;               ///< the command line, for the provenance
};

/// Returns the exit code: 1 where a claim is neither met nor explained, or that of measurements.
int reproduce(const ReproduceOptions& options, const Catalog& catalog);

}  // namespace regroup
