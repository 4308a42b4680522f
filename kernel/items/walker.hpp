// SPDX-License-Identifier: BSD-3-Clause
//
// How a process spends the time of one item.
#pragma once

#include <span>

#include "kernel/options.hpp"

namespace regroup {

/// Executes one item that takes `seconds`, from now on.
using ExecuteItem = void (*)(double seconds);

struct WalkerEntry : Entry {
  ExecuteItem execute;
  bool smpi = true;  ///< SimGrid's SMPI simulates what it does
};

/// The list of walkers.
std::span<const WalkerEntry> walkers();

}  // namespace regroup
