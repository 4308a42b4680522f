// SPDX-License-Identifier: BSD-3-Clause
//
// What configurations can name. Needs no MPI.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/collective.hpp"
#include "regroup/costs.hpp"
#include "regroup/measurement.hpp"
#include "regroup/options.hpp"
#include "regroup/strategy.hpp"
#include "regroup/walker.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// More ranks than this are refused: virtual time has been tried up to here.
inline constexpr int largest_world = 1 << 20;

/// What carries out the decisions of a balancer.
struct Engine : Entry {
  std::string_view clock;  ///< that its times are read from
  int most_ranks = largest_world;
  bool real = false;  ///< processes and a clock that others use, too
  /// Virtual time: needs no processes, communication costs what the configuration says, and nothing
  /// varies but what is drawn.
  bool exact = false;
};

/// All lists. Tasks point to its rows, so it outlives them and does not change. Rows borrow names,
/// help and options.
struct Catalog {
  std::vector<const Engine*> engines;  ///< those of the command; programs of ranks need none
  std::vector<BalancerEntry> balancers;
  std::vector<Strategy> strategies;
  std::vector<WorkloadEntry> workloads;
  std::vector<WantsEntry> wants;
  std::vector<SpeedupEntry> speedups;
  std::vector<WalkerEntry> walkers;
  std::vector<CostModel> costs;
  std::vector<MeasurementKind> measurements;
  std::vector<CollectiveOperation> operations;

  Catalog() = default;
  Catalog(Catalog&&) = default;
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;
  ~Catalog() = default;

  /// Owns what rows borrow that is no constant of the program.
  std::deque<std::vector<OptionSpec>> owned_options;
  std::deque<std::vector<std::string_view>> owned_words;
  std::deque<std::vector<DescribedWord>> owned_descriptions;
  std::deque<std::string> owned_texts;
};

/// The engine of that name, or nullptr.
const Engine* find_engine(const Catalog& catalog, std::string_view name);

/// Adds rows to the lists.
using AddRows = std::function<void(Catalog& catalog)>;

/// Regroup's rows, followed by those that `add_rows` adds. Throws std::invalid_argument for an
/// unusable row: what is wrong, and what is allowed.
Catalog make_catalog(const AddRows& add_rows = nullptr,
                     std::span<const Engine* const> engines = {});

}  // namespace regroup
