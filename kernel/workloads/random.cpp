// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/random.hpp"

#include <algorithm>

#include "kernel/numbers/exact_math.hpp"
#include "kernel/numbers/random.hpp"

namespace regroup {
namespace {

/// Draws for each group 64 bits of its own and makes a number of items of them.
template <class Draw>
Items drawn(Groups groups, std::uint64_t seed, Draw draw) {
  constexpr double most = 1e15;  // so that sums stay whole numbers, however heavy the tail
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) {
    const auto who = static_cast<std::uint64_t>(group.lo);
    const double wanted = draw(random_bits(seed, Purpose::workload, who, 0));
    items.push_back(static_cast<std::int64_t>(std::min(wanted, most)));
  }
  return items;
}

/// Exponentially distributed with mean 1.
double standard_exponential(std::uint64_t bits) { return -exact::log(1 - unit_interval(bits)); }

}  // namespace

Items uniform(const Options& options, Groups groups, std::uint64_t seed) {
  const double values = 2 * options.real("mean_items") + 1;
  return drawn(groups, seed, [=](std::uint64_t bits) { return unit_interval(bits) * values; });
}

Items exponential(const Options& options, Groups groups, std::uint64_t seed) {
  const double mean = options.real("mean_items");
  return drawn(groups, seed,
               [=](std::uint64_t bits) { return mean * standard_exponential(bits) + 0.5; });
}

Items lognormal(const Options& options, Groups groups, std::uint64_t seed) {
  const double mean = options.real("mean_items");
  const double sigma = options.real("log_stdev");
  return drawn(groups, seed, [=](std::uint64_t bits) {
    return mean * exact::exp(sigma * standard_normal(bits) - sigma * sigma / 2) + 0.5;
  });
}

Items pareto(const Options& options, Groups groups, std::uint64_t seed) {
  const double alpha = options.real("tail_exponent");
  const double smallest = options.real("mean_items") * (alpha - 1) / alpha;
  return drawn(groups, seed, [=](std::uint64_t bits) {
    return smallest * exact::exp(standard_exponential(bits) / alpha) + 0.5;
  });
}

}  // namespace regroup
