// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/configuration/experiment.hpp"
#include "jobs/selection/shard.hpp"

namespace regroup {

/// `places` in the order in which they are done (jobs/catalog/sweep_order.hpp). Of any two tasks it
/// is the same one that comes first, whatever else is done: also in what is left to be resumed.
Places in_order(const Experiment& experiment, Places places);

}  // namespace regroup
