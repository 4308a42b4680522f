// SPDX-License-Identifier: BSD-3-Clause
//
// Lists of everything that configurations can select by name. Needs no MPI.
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

/// Maximum number of ranks; virtual time has been tested up to this number.
inline constexpr int largest_world = 1 << 20;

/// An engine, which executes the decisions of a balancer.
struct Engine : Entry {
  std::string_view clock;  ///< clock of its times
  int most_ranks = largest_world;
  bool real = false;  ///< whether it uses real processes and wall-clock time
  /// Virtual time: needs no processes, communication costs are those of the configuration, and only
  /// random numbers differ between runs.
  bool exact = false;
};

/// All lists. Tasks point to rows, so the catalog must outlive them and must not change. Rows
/// borrow names, help and options.
struct Catalog {
  std::vector<const Engine*> engines;  ///< engines of the command; programs of ranks need none
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

  /// Owns data that rows borrow and that are not constants.
  std::deque<std::vector<OptionSpec>> owned_options;
  std::deque<std::vector<std::string_view>> owned_words;
  std::deque<std::vector<DescribedWord>> owned_descriptions;
  std::deque<std::string> owned_texts;
};

/// The engine of that name, or nullptr.
const Engine* find_engine(const Catalog& catalog, std::string_view name);

/// Function that adds rows to the lists.
using AddRows = std::function<void(Catalog& catalog)>;

/// The rows of Regroup, followed by those of `add_rows`. Throws std::invalid_argument for an
/// invalid row, with the reason and the allowed values.
Catalog make_catalog(const AddRows& add_rows = nullptr,
                     std::span<const Engine* const> engines = {});

}  // namespace regroup
