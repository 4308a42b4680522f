// SPDX-License-Identifier: BSD-3-Clause
//
// How much faster a larger group executes an item.
#pragma once

#include <functional>
#include <span>

#include "kernel/options.hpp"

namespace regroup {

/// The seconds that a group of so many ranks takes for one item.
using Speedup = std::function<double(int ranks)>;

struct SpeedupEntry : Entry {
  /// `item_s`: the seconds that one rank takes. Throws UserError where a file that the options name
  /// does not fit.
  Speedup (*make)(const Options& options, double item_s);
};

/// The one list of speed-up models.
std::span<const SpeedupEntry> speedups();

}  // namespace regroup
