// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"

namespace regroup {

struct SweepOptions {
  Selection which{};        ///< selects the tasks
  std::string directory{};  ///< of results; empty: results/EXPERIMENT
  std::string command{};    ///< the command line, for the provenance
  std::string rest{};       ///< command that executes the remaining tasks; empty: the usual one
  std::string walkers{};    ///< file of Python walkers; empty: none
  std::string states{};     ///< directory of states that chains continue from; empty: none
  int jobs = 0;             ///< largest number of runs simulated at a time; 0: one for each core
  int extend = 0;           ///< items to add to the chains of runs that ended; 0: none
  bool resume = false;      ///< execute missing tasks
  bool retry = false;       ///< also execute tasks that did not end well
  bool overwrite = false;   ///< replace existing results
  bool mixed = false;       ///< add to results obtained under other circumstances
  bool quiet = false;       ///< print only problems
};

/// Returns the directory of the results of a sweep; that of a shard is below it.
std::string results_directory(const Configuration& configuration, const SweepOptions& options);

/// Executes the tasks of `experiment` and records each, however it ends: one at a time on
/// processes, several at a time in virtual time. Returns the exit code: 0 if all supported tasks
/// ended well, 1 if some did not, 75 if some have no result, 130 if interrupted.
int run_sweep(const Experiment& experiment, const SweepOptions& options);

}  // namespace regroup
