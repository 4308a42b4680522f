// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "kernel/options.hpp"

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

}  // namespace regroup
