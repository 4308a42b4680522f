// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "kernel/run.hpp"
#include "regroup/costs.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Executes `run` in virtual time: the same balancer objects as on real processes, driven by
/// an event queue with one entity per walker group. Equal runs have equal outcomes, bit for
/// bit. At equal times messages are delivered before items end.
///
/// A rank that is lost takes its group out of the run. The others work until they hear of it, after
/// `run.detection_s`, and then go on as rest_of() says (kernel/recovery.hpp). Ranks that are lost
/// until they do so are left out, too. Recovery costs telling all ranks, an exchange among the
/// groups, and forming these.
///
/// `stop` is asked every few thousand events, a few milliseconds, whether to give up.
///
/// Throws Stopped where it was given up, VirtualTimeEnds where the run would take longer than
/// virtual time can tell, and std::logic_error where the balancer breaks its contract (stops with
/// items left, waits for ever, merges what is no neighbour).
Outcome simulate(const RunInput& run, const Costs& costs = {},
                 const std::function<bool()>& stop = {});

struct Stopped {};

}  // namespace regroup
