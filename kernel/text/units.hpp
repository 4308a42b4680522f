// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "kernel/numbers/statistics.hpp"

namespace regroup {

/// Returns "1:05:20", "12:03" or "8 s".
std::string duration(double seconds);

/// Returns `number` with `decimals` decimals: "3.5599". Numbers below 1 get more decimals, if
/// needed to show `decimals` significant digits (at least one, at most three): "0.00000350". Only 0
/// becomes "0". Numbers below 1e-9 become "1.2e-12".
std::string rounded(double number, int decimals);

/// Returns a time with three digits in a suitable unit: "1.25 ms", "83.0 µs", "0 s".
std::string in_fitting_unit(double seconds);
/// Returns "1.25 [0.90, 1.40] ms"; the largest of the numbers has three digits.
std::string in_fitting_unit(double seconds, const Interval& interval);

/// Returns "1 run", "2 runs".
std::string counted(std::integral auto number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// Returns `text`, with "…" in place of its middle if it is longer than `bytes` bytes.
std::string shortened(const std::string& text, std::size_t bytes);

}  // namespace regroup
