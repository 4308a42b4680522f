// SPDX-License-Identifier: BSD-3-Clause
//
// What configurations can name.
#pragma once

#include <vector>

#include "communicators/strategies.hpp"
#include "jobs/catalog/engines.hpp"
#include "kernel/balancer.hpp"
#include "kernel/chains/walker.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/measurement/measurement.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/wants.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {

/// All lists. A value: a program of one's own may add rows to the standard one.
struct Catalog {
  std::vector<EngineEntry> engines;
  std::vector<BalancerEntry> balancers;
  std::vector<Strategy> strategies;
  std::vector<WorkloadEntry> workloads;
  std::vector<WantsEntry> wants;
  std::vector<SpeedupEntry> speedups;
  std::vector<WalkerEntry> walkers;
  std::vector<CostModel> costs;
  std::vector<MeasurementKind> measurements;
  std::vector<Pattern> patterns;
};

/// What comes with Regroup.
const Catalog& standard_catalog();

}  // namespace regroup
