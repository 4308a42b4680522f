// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/fixed_point.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "regroup/numbers.hpp"

namespace regroup {
namespace {

__extension__ using Integer = __int128;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int fraction_bits = 60;
constexpr int part_bits = 42;
constexpr std::int64_t part_mask = (std::int64_t{1} << part_bits) - 1;

[[noreturn]] void refuse(std::string_view what) {
  throw std::range_error(
      fmt::format("{}; allowed: -inf, and numbers between -2^62 and 2^62 (4.6e18)", what));
}

}  // namespace

double FixedPoint::value() const {
  if (!is_number()) return -infinity;
  const Integer whole = (static_cast<Integer>(high_) << 64) | low_;
  return static_cast<double>(whole) * 0x1p-60;
}

std::uint64_t FixedPoint::digest() const {
  return hash_combined(hash_combined(0, low_), static_cast<std::uint64_t>(high_));
}

FixedPoint FixedPoint::of_unusual(double value) {
  if (value == -infinity) return minus_infinity();
  if (std::isnan(value)) refuse("a log-density or another term of a sum is nan");
  refuse(fmt::format("a log-density or another term of a sum is {}", value));
}

FixedPoint FixedPoint::unusual_sum(FixedPoint a, FixedPoint b) {
  if (!a.is_number() || !b.is_number()) return minus_infinity();
  refuse(fmt::format("a sum is {} + {}", a.value(), b.value()));
}

FixedPoint FixedPoint::unusual_difference(FixedPoint a, FixedPoint b) {
  if (!b.is_number()) {
    throw std::range_error(fmt::format(
        "a difference is {} - -inf; a log-density of -inf is allowed for a proposed state, "
        "not for the current one",
        a.value()));
  }
  if (!a.is_number()) return minus_infinity();
  refuse(fmt::format("a difference is {} - {}", a.value(), b.value()));
}

FixedPoint::Parts FixedPoint::parts() const {
  if (!is_number()) return {0, 0, 0, 1};
  const std::uint64_t middle = (low_ >> part_bits) | (static_cast<std::uint64_t>(high_) << 22);
  return {static_cast<std::int64_t>(low_) & part_mask,
          static_cast<std::int64_t>(middle) & part_mask, high_ >> (2 * part_bits - 64), 0};
}

FixedPoint FixedPoint::of_sums(std::span<const std::int64_t, 4> sums) {
  if (sums[3] > 0) return minus_infinity();
  const std::int64_t middle = sums[1] + (sums[0] >> part_bits);
  const std::int64_t high = sums[2] + (middle >> part_bits);
  constexpr int high_shift = 2 * part_bits - 64;
  if (high < -(end >> high_shift) || high >= end >> high_shift) {
    refuse(fmt::format(
        "a sum over members is {}",
        std::ldexp(static_cast<double>(high), 2 * part_bits - fraction_bits) +
            std::ldexp(static_cast<double>(middle & part_mask), part_bits - fraction_bits)));
  }
  const auto rest = static_cast<std::uint64_t>(middle & part_mask);
  return {(high << high_shift) | static_cast<std::int64_t>(rest >> (64 - part_bits)),
          (rest << part_bits) | static_cast<std::uint64_t>(sums[0] & part_mask)};
}

}  // namespace regroup
