// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "kernel/numbers/exact_math.hpp"
#include "kernel/numbers/random.hpp"

namespace regroup {

/// Whether a step to a state that is e^`log_ratio` times as probable is taken, where `bits` are
/// drawn for it: with probability min(1, e^log_ratio).
/// Source: Metropolis et al., J. Chem. Phys. 21, 1953.
inline bool metropolis_accepts(double log_ratio, std::uint64_t bits) {
  return log_ratio >= 0 || unit_interval(bits) < exact::exp(log_ratio);
}

}  // namespace regroup
