// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "kernel/numbers/statistics.hpp"

namespace regroup {

/// "1:05:20", "12:03", "8 s".
std::string duration(double seconds);

/// "3.5599", "0.0123", "0.00000350": `number` with `decimals`, or with as many as show `decimals`
/// of its digits (at least one, at most three) if it is small. Only 0 is "0". Below 1e-9,
/// "1.2e-12".
std::string rounded(double number, int decimals);

/// "1.25 ms", "83.0 µs", "0 s": with three digits, in the unit that fits.
std::string in_fitting_unit(double seconds);
/// "1.25 [0.90, 1.40] ms": the largest of the numbers has three digits.
std::string in_fitting_unit(double seconds, const Interval& interval);

/// "1 run", "2 runs".
std::string counted(std::integral auto number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// `text`, without a part in its middle if it is longer than so many bytes.
std::string shortened(const std::string& text, std::size_t bytes);

}  // namespace regroup
