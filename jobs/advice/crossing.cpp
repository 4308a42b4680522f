// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/crossing.hpp"

#include <cmath>

namespace regroup {

Crossing crossing(double from, double to,
                  const std::function<std::optional<std::size_t>(double)>& winner) {
  constexpr double close = 0.02;
  double holds = std::log(from);
  const double end = std::log(to);
  const double direction = end < holds ? -1 : 1;
  std::optional<std::size_t> wins;
  double fails = holds;
  while (!wins && holds != end) {
    const bool last = std::abs(end - holds) <= std::log(10) * 1.001;
    fails = last ? end : holds + direction * std::log(10);
    wins = winner(last ? to : std::exp(fails));
    if (!wins) holds = fails;
  }
  if (!wins) return {to, {}};
  while (std::abs(fails - holds) > close) {
    const double middle = (holds + fails) / 2;
    if (const auto found = winner(std::exp(middle))) {
      wins = found;
      fails = middle;
    } else {
      holds = middle;
    }
  }
  return {std::exp(holds), wins};
}

}  // namespace regroup
