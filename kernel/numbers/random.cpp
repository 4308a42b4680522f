// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/numbers/random.hpp"

#include <Random123/philox.h>

#include "kernel/numbers/exact_math.hpp"

namespace regroup {

std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint64_t who,
                          std::uint64_t count) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const r123::Philox4x32::ctr_type counter{{low(count), high(count), low(who), high(who)}};
  const r123::Philox4x32::ukey_type key{
      {low(seed), high(seed) ^ (static_cast<std::uint32_t>(purpose) << 24)}};
  const auto drawn = r123::Philox4x32{}(counter, key);
  return (static_cast<std::uint64_t>(drawn[1]) << 32) | drawn[0];
}

double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

// The middles of 2^52 equal intervals: a 53rd bit would leave no room for the half.
double standard_normal(std::uint64_t bits) {
  return exact::normal_quantile((static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52);
}

}  // namespace regroup
