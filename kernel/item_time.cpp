// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/item_time.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernel/exact_math.hpp"
#include "kernel/random.hpp"

namespace regroup {
namespace {

Speedup speedup_of(const Scenario& scenario) {
  const SpeedupEntry* entry = find_entry(speedups(), scenario.speedup.name);
  if (entry == nullptr) {
    throw std::invalid_argument(fmt::format("unknown speed-up '{}'", scenario.speedup.name));
  }
  check_options(*entry, scenario.speedup.options);
  return entry->make(scenario.speedup.options, scenario.item_ms / 1000);
}

}  // namespace

ItemTime::ItemTime(const Scenario& scenario)
    : speedup_(speedup_of(scenario)),
      deviation_(std::sqrt(exact::log(1 + scenario.jitter * scenario.jitter))),
      seed_(scenario.stream()) {}

double ItemTime::seconds(int ranks, int walker, std::int64_t items_left) const {
  if (!varies()) return seconds(ranks);
  const double z =
      standard_normal(random_bits(seed_, Purpose::jitter, static_cast<std::uint64_t>(walker),
                                  static_cast<std::uint64_t>(items_left)));
  return seconds(ranks) * exact::exp(deviation_ * z - deviation_ * deviation_ / 2);
}

}  // namespace regroup
