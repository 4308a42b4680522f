// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"

namespace regroup {

struct SweepOptions {
  Selection which{};        ///< of the tasks
  std::string directory{};  ///< of results; empty: results/EXPERIMENT
  std::string command{};    ///< the command line, for the provenance
  std::string rest{};       ///< one that executes what is left of it; empty: the usual one
  std::string walkers{};    ///< the file of those in Python; empty: none
  std::string states{};     ///< directory of states that chains continue from; empty: none
  int jobs = 0;             ///< the most runs that are simulated at a time; 0: one for each core
  int extend = 0;           ///< items by which chains go on from the ends of runs; 0: none
  bool resume = false;      ///< execute what is missing
  bool retry = false;       ///< … and what did not end well
  bool overwrite = false;   ///< replace the results that exist
  bool mixed = false;       ///< add to results of other circumstances
  bool quiet = false;       ///< print only what went wrong
};

/// The directory that the results of a sweep go to: shards have their own below it.
std::string results_directory(const Configuration& configuration, const SweepOptions& options);

/// Executes the tasks of `experiment` and records each, however it ends: on processes one after the
/// other, in virtual time several at once. Answers the exit code: 0 if all that are supported ended
/// well, 1 if some did not, 75 if some have no result, 130 if interrupted.
int run_sweep(const Experiment& experiment, const SweepOptions& options);

}  // namespace regroup
