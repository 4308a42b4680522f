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

/// A run, or the rest of one that lost ranks.
struct Phase {
  std::shared_ptr<const RunInput> run;
  Costs costs;
  Losses losses;
  std::vector<int> ranks = {};       ///< their numbers in the whole run; empty: the same
  std::vector<Ticks> begin_at = {};  ///< when its groups do; empty: it is the start of the run
};

/// How a phase ended: all groups have stopped, or the others have heard of a loss.
struct PhaseEnd {
  Outcome outcome;            ///< ranks have their numbers in the phase
  bool by_loss = false;       ///< the rest is of that
  Ticks at = 0;               ///< when the others heard of it
  std::vector<Group> groups;  ///< the last ones
  Losses losses;              ///< those that there were, and that are to come
};

/// Throws as simulate() does.
PhaseEnd run_phase(const Phase& phase, const std::function<bool()>& stop);

}  // namespace regroup
