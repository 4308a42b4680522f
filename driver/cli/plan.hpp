// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"

namespace regroup {

struct PlanOptions {
  Selection which;
  std::string format = "text";  ///< text, json or slurm
  int shards = 0;               ///< show the division into so many; 0: the tasks
  int ranks_per_node = 0;       ///< 0: as many as this machine has cores
  std::string results;          ///< directory that launching is learnt from; empty: the usual one
};

/// Prints every task of a configuration with its predicted time, and the sum; or what a job must
/// ask for.
void print_plan(const Experiment& experiment, const PlanOptions& options);

}  // namespace regroup
