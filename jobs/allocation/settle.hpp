// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/allocation/candidates.hpp"
#include "jobs/allocation/trial.hpp"
#include "jobs/selection/selection.hpp"

namespace regroup {

/// What trying launchers came to.
struct Settled {
  JobLauncher launcher;             ///< the first that works; without a command: none does
  LaunchTrial trial;                ///< of it, or of the last one
  std::vector<std::string> failed;  ///< "srun: each rank was alone", of all before
  bool singletons = false;          ///< in one of them
};

/// Tries the launchers that may start ranks on the hosts of `given`. Each takes about a second.
Settled settle(const Configuration& configuration, const GivenHosts& given);

/// What to do where none works; one line.
std::string advice_for(const Settled& settled, const GivenHosts& given);

/// The one that works, in words.
std::string words_of(const Settled& settled, const GivenHosts& given);

/// The places of tasks that are launched on real processes.
Places launched(const Experiment& experiment, const Selection& selection);

/// Where `experiment` names no launcher, launches something, and we are in a job of several hosts:
/// gives it a launcher that was found by a trial, and says so in one line. Throws UserError where
/// none is found, and where ranks are to lie in a way that nothing can be told of.
void settle_launcher(Experiment& experiment, const Selection& selection);

}  // namespace regroup
