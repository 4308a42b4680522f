// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/catalog/scenario.hpp"
#include "kernel/audit/audit.hpp"

namespace regroup {

/// What the times of `run` must keep to, by its configuration and its engine's clock.
TimeLaw law_of(const Scenario& run);

}  // namespace regroup
