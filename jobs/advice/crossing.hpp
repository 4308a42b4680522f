// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace regroup {

/// How far something may go before another choice wins.
struct Crossing {
  double holds;                       ///< so far none does, to 2 %; the end where none ever does
  std::optional<std::size_t> winner;  ///< that wins beyond
};

/// Goes from `from` to `to`, which is larger or smaller, in steps of ten at most, until `winner`
/// answers one, and finds where that begins. Both ends are positive; at `from` nobody wins.
Crossing crossing(double from, double to,
                  const std::function<std::optional<std::size_t>(double)>& winner);

}  // namespace regroup
