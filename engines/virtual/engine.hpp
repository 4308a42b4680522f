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
/// If a rank is lost, its group stops working. The other groups work until they detect the loss,
/// after `run.detection_s`, and then continue with rest_of() (kernel/recovery.hpp). Ranks that are
/// lost during the recovery are excluded, too. Recovery costs an order to all ranks, an exchange
/// among the groups, and the creation of the new groups.
///
/// Calls `stop` every few thousand events, or few milliseconds; gives up if it returns true.
///
/// Throws Stopped if `stop` returned true, VirtualTimeEnds if the run would exceed the range of
/// virtual time, and std::logic_error if the balancer breaks its contract (stops with items left,
/// waits forever, or loses ranks or items when it regroups).
Outcome simulate(const RunInput& run, const Costs& costs = {},
                 const std::function<bool()>& stop = {});

struct Stopped {};

}  // namespace regroup
