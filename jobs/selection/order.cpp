// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/selection/order.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "jobs/catalog/sweep_order.hpp"
#include "kernel/numbers/random.hpp"

namespace regroup {

Places in_order(const Experiment& experiment, Places places) {
  if (experiment.sweep_order == as_written) return places;
  std::vector<std::tuple<int, std::uint64_t, std::size_t>> drawn;
  for (const std::size_t place : places) {
    const Scenario task = experiment.at(place);
    drawn.emplace_back(task.repetition, random_bits(task.stream(), Purpose::sweep_order, place, 0),
                       place);
  }
  std::ranges::sort(drawn);
  std::ranges::transform(drawn, places.begin(), [](const auto& one) { return std::get<2>(one); });
  return places;
}

}  // namespace regroup
