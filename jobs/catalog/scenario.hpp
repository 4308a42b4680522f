// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jobs/catalog/engines.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// The groups at the start have `group_size` ranks each.
inline constexpr std::string_view equal_groups = "equal";

/// All parameters of one task, resolved: one point of a sweep. A task is a run or, where `measure`
/// has a name, a measurement, which has no use for the members that are of runs only. What is to be
/// known of each of them stands in parameters.cpp.
struct Scenario {
  std::string experiment;
  Choice measure;  ///< the kind of measurement, and its options; no name: a run
  std::string engine = "mpi";
  int ranks = 1;
  int ranks_per_node = 0;            ///< 0: as the launcher does
  std::string order = "launcher";    ///< of ranks along nodes (rank_order.hpp)
  int group_size = 4;                ///< of the largest group where `groups` tells of them
  std::string groups{equal_groups};  ///< or the ranks of each at the start (starting_groups.hpp)
  double item_ms = 100;              ///< T: what one rank takes for one item
  Choice speedup{"perfect", {}};
  double jitter = 0;  ///< standard deviation of an item's time, relative to its mean
  Choice workload{"cyclic", {}};
  int walkers_per_group = 1;
  int walkers_in_all = 0;  ///< 0: walkers_per_group for every group
  Choice wants{"group_size", {}};
  Choice walker{"sleep", {{"state_bytes", "0"}}};
  int report_every = 0;    ///< items after which a chain tells what it observed; 0: never
  double until_r_hat = 0;  ///< the run ends when it is at most so much; 0: not
  double until_effective_samples = 0;  ///< … at least so many; 0: not
  int save_every = 0;                  ///< items after which a chain's state is written; 0: never
  Choice balancer{"none", {}};
  std::string communicator;  ///< the strategy; empty where the balancer never regroups
  Choice costs{"free", {}};  ///< of communication in virtual time; no name elsewhere
  std::string waiting = "auto";
  int repetition = 1;
  std::uint64_t seed = 1;
  double timeout_s = 120;
  std::string inputs;  ///< hash of the files that its options name; empty where they name none

  bool is_run() const { return measure.name.empty(); }
  /// "run", or the kind of the measurement.
  std::string kind() const { return is_run() ? "run" : measure.name; }

  /// Whether it ends when the chains have observed enough.
  bool may_end_early() const { return until_r_hat > 0 || until_effective_samples > 0; }

  /// The seed of this repetition's random numbers.
  std::uint64_t stream() const { return seed * 1'000'003 + static_cast<std::uint64_t>(repetition); }
};

/// As one line of JSON, which is how parameters reach the processes that execute the task.
std::string to_json(const Scenario& scenario);
/// Throws where `text` is no task that can be executed.
Scenario scenario_from_json(const std::string& text);

/// Sixteen hexadecimal digits that name these parameters: equal exactly where all are equal.
std::string fingerprint(const Scenario& scenario);

}  // namespace regroup
