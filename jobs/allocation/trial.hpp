// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/configuration/configuration.hpp"

namespace regroup {

/// What became of ranks that were launched to see whether they can be.
struct LaunchTrial {
  enum class Kind {
    together,    ///< they are one world
    singletons,  ///< each is alone: the launcher and MPI do not understand each other
    failed,
    late,
    interrupted
  };
  Kind kind = Kind::failed;
  double seconds = 0;
  std::string reason;  ///< of those that failed or were late
  std::string answer;  ///< of rank 0; of those that are together

  /// Of those that are not together: "each of 2 ranks was alone", "failed: …".
  std::string complaint() const;
};

/// Launches `ranks` as `configuration` says, with so many on a node where that is not 0, and asks
/// them for `word` (kernel/places/probe.hpp). `tick` is called ten times a second.
LaunchTrial try_ranks(
    const Configuration& configuration, int ranks, int ranks_per_node, std::string_view word,
    const std::function<void()>& tick = [] {});

/// All that the command `words` prints; empty where it cannot be started.
std::string printed_by(const std::vector<std::string>& words);

}  // namespace regroup
