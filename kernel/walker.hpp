// SPDX-License-Identifier: BSD-3-Clause
//
// How a process spends the time of one item.
#pragma once

#include <span>

#include "kernel/catalog.hpp"

namespace regroup {

struct WalkerEntry : Entry {
  /// Executes one item that takes `seconds`, from now on.
  void (*execute)(double seconds);
  bool smpi = true;  ///< SimGrid's SMPI simulates what it does
};

/// The one list of walkers.
std::span<const WalkerEntry> walkers();

/// Sleeps for `seconds`, and not less.
void sleep_for(double seconds);

/// Makes this process's sleeps end on time: sets its timer slack to the minimum, where the system
/// has one (Linux: prctl(PR_SET_TIMERSLACK)). Without it every sleep is about 50 µs too long.
void sharpen_sleep();

}  // namespace regroup
