// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/items/item_time.hpp"

#include <cmath>
#include <utility>

#include "kernel/numbers/exact_math.hpp"
#include "kernel/numbers/random.hpp"

namespace regroup {

ItemTime::ItemTime(Speedup speedup, double jitter, std::uint64_t stream)
    : speedup_(std::move(speedup)),
      deviation_(std::sqrt(exact::log(1 + jitter * jitter))),
      stream_(stream) {}

double ItemTime::seconds(int ranks, int walker, std::int64_t items_left) const {
  if (!varies()) return seconds(ranks);
  const double z =
      standard_normal(random_bits(stream_, Purpose::jitter, static_cast<std::uint64_t>(walker),
                                  static_cast<std::uint64_t>(items_left)));
  return seconds(ranks) * exact::exp(deviation_ * z - deviation_ * deviation_ / 2);
}

}  // namespace regroup
