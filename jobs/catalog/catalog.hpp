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

/// All lists. Names, help and options of rows are borrowed: constants of the program, mostly.
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

/// What comes with Regroup, and what this program has added.
const Catalog& standard_catalog();

/// Adds rows to lists.
using AddRows = void (*)(Catalog& catalog);

/// Has `add_rows` add what this program brings along to the standard catalog, before anything is
/// looked up there. Balancers, strategies (with their code), workloads, wants, speed-ups, walkers
/// and costs can be added; nothing can be taken away. Throws std::invalid_argument for a row that
/// cannot be used: what is wrong with it, and what is allowed.
void extend_catalog(AddRows add_rows);

}  // namespace regroup
