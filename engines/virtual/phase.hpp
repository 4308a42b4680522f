// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engines/virtual/losses.hpp"
#include "engines/virtual/pace.hpp"
#include "kernel/run.hpp"
#include "regroup/balancer.hpp"
#include "regroup/costs.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// A run, or the rest of a run that lost ranks.
struct Phase {
  std::shared_ptr<const RunInput> run;
  Costs costs;
  Losses losses;
  std::vector<int> ranks = {};       ///< numbers of its ranks in the whole run; empty: the same
  std::vector<Ticks> begin_at = {};  ///< start times of its groups; empty: the start of the run
};

/// The end of a phase: all groups have stopped, or the others have heard of a loss.
struct PhaseEnd {
  Outcome outcome;            ///< with rank numbers of the phase
  bool by_loss = false;       ///< whether a loss ended it; the members below matter only then
  Ticks at = 0;               ///< time when the others heard of the loss
  std::vector<Group> groups;  ///< last groups
  Losses losses;              ///< past and future losses
};

/// Simulates `phase`. Throws the same exceptions as simulate().
PhaseEnd run_phase(const Phase& phase, const std::function<bool()>& stop);

}  // namespace regroup
