// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace regroup {

/// What a random number is drawn for: draws of different purposes never share a number.
enum class Purpose : std::uint32_t {
  decision,
  workload,
  jitter,
  exploration,
  subset,
  wants,
  chain,
  chain_start,
  order,
  sweep_order
};

/// 64 uniformly distributed bits, a pure function of its arguments (Philox4x32-10; Salmon et al.,
/// "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011): every process, engine and machine draws
/// the same number for the same `who` and `count`, in whatever order it asks.
std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint64_t who,
                          std::uint64_t count);

/// As a number in [0, 1) with 53 random bits.
double unit_interval(std::uint64_t bits);

/// As a standard normal variate: the quantile of a number strictly between 0 and 1.
double standard_normal(std::uint64_t bits);

}  // namespace regroup
