// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernel/options.hpp"

namespace regroup {

/// More ranks than this are refused: virtual time has been tried up to here.
inline constexpr int largest_world = 1 << 20;

/// All parameters of one run, resolved: one point of a sweep.
struct Scenario {
  std::string experiment;
  std::string engine = "mpi";
  int ranks = 1;
  int group_size = 4;
  double item_ms = 100;  ///< T: what one rank takes for one item
  Choice speedup{"perfect", {}};
  double jitter = 0;  ///< standard deviation of an item's time, relative to its mean
  Choice workload{"cyclic", {}};
  std::string walker = "sleep";
  Choice balancer{"none", {}};
  std::string communicator;  ///< the strategy; empty where the balancer never regroups
  Choice costs{"free", {}};  ///< of communication in virtual time; no name elsewhere
  std::string waiting = "auto";
  int repetition = 1;
  std::uint64_t seed = 1;
  double timeout_s = 120;
  std::string inputs;  ///< hash of the files that its options name; empty where they name none

  /// The seed of this repetition's random numbers.
  std::uint64_t stream() const { return seed * 1'000'003 + static_cast<std::uint64_t>(repetition); }
};

/// As one line of JSON, which is how a run's parameters reach the processes that execute it.
std::string to_json(const Scenario& scenario);
/// Throws, as its other half in measurements does, where `text` is no scenario that can be
/// executed.
Scenario scenario_from_json(const std::string& text);

/// Sixteen hexadecimal digits that name these parameters: equal exactly where all are equal.
std::string fingerprint(const Scenario& scenario);

}  // namespace regroup
