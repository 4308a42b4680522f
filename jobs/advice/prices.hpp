// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "jobs/configuration/experiment.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// What the command line says about costs; empty where it says nothing.
struct AskedPrices {
  std::string costs;     ///< a cost model that needs no files
  std::string creation;  ///< a creation.csv …
  std::string steps;     ///< … and a steps.csv
};

/// What communication is taken to cost.
struct Prices {
  std::optional<Choice> costs;  ///< nothing: what the configuration says
  std::string source;           ///< in words
  std::string hint;             ///< how to know better; empty where it is known
};

/// What the command line says; else what the configuration says, if its communication is not free;
/// else what was measured last, by the files of `results`, the directory where results are; else
/// the cost model `cluster`.
Prices prices(const AskedPrices& asked, const Experiment& experiment, const std::string& results);

}  // namespace regroup
