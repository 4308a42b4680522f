// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernel/chains/walker.hpp"

namespace regroup {

/// The one list of walkers.
std::span<const WalkerEntry> walkers();

}  // namespace regroup
