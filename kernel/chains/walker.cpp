// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/walker.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace regroup {

void Team::sum(std::span<FixedPoint> values) {
  if (size_ == 1) return;
  parts_.clear();
  for (const FixedPoint value : values) {
    const FixedPoint::Parts parts = value.parts();
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }
  sum(std::span(parts_));
  std::span<const std::int64_t> rest(parts_);
  for (FixedPoint& value : values) {
    value = FixedPoint::of_sums(rest.first<4>());
    rest = rest.subspan(4);
  }
}

bool metropolis_accepts(double log_ratio, std::uint64_t bits) {
  if (std::isnan(log_ratio) || log_ratio == HUGE_VAL) {
    throw std::range_error(
        fmt::format("a logarithm of a ratio of densities is {}; allowed: -inf, and finite numbers",
                    std::isnan(log_ratio) ? "nan" : "inf"));
  }
  return log_ratio >= 0 || unit_interval(bits) < exact::exp(log_ratio);
}

}  // namespace regroup
