// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/costs.hpp"
#include "regroup/measurement.hpp"
#include "regroup/options.hpp"
#include "regroup/strategy.hpp"
#include "regroup/walker.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// More ranks than this are refused: virtual time has been tried up to here.
inline constexpr int largest_world = 1 << 20;

/// What carries out the decisions of a balancer. How its tasks are launched:
/// jobs/launch/engine.hpp.
struct EngineEntry : Entry {
  std::string_view clock;  ///< that its times are read from
  int most_ranks = largest_world;
  bool real = false;  ///< processes and a clock that others use, too
  /// Virtual time of our own: nothing varies but what is drawn, communication takes what the
  /// configuration says, and no processes are needed.
  bool exact = false;
};

std::span<const EngineEntry> engines();

// What configurations can name.

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
