// SPDX-License-Identifier: BSD-3-Clause
//
// Real numbers whose sum depends neither on the order of its terms nor on their distribution over
// members. Needs no MPI.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>

namespace regroup {

/// A multiple of 2^-60 (8.7e-19) between -2^62 and 2^62 (4.6e18), or -inf, the log-density of an
/// impossible state. Sums are exact. NaN, +inf, and numbers and sums beyond the range throw
/// std::range_error with the value.
class FixedPoint {
 public:
  constexpr FixedPoint() = default;
  static constexpr FixedPoint minus_infinity() { return {lowest, 0}; }

  /// Converts `value`; digits below 2^-60 are cut off.
  static FixedPoint of(double value) {
    constexpr std::uint64_t without_sign = ~std::uint64_t{0} >> 1;
    constexpr auto range = std::bit_cast<std::uint64_t>(0x1p62);
    // As integers, NaN and infinities are greater than every number.
    if ((std::bit_cast<std::uint64_t>(value) & without_sign) >= range) [[unlikely]] {
      return of_unusual(value);
    }
    // No operation but the last conversion rounds.
    const auto whole = static_cast<std::int64_t>(value);
    const auto rest = static_cast<std::int64_t>((value - static_cast<double>(whole)) * 0x1p60);
    return sum({whole >> 4, static_cast<std::uint64_t>(whole) << 60},
               {rest >> 63, static_cast<std::uint64_t>(rest)});
  }

  /// The nearest double.
  double value() const;

  /// A hash of the number, for Walker::digest().
  std::uint64_t digest() const;

  /// -inf plus anything is -inf.
  FixedPoint& operator+=(FixedPoint other) {
    // The upper half of -inf is so small that sums with it are beyond the range, but never wrap.
    const FixedPoint added = sum(*this, other);
    if (added.is_number()) [[likely]]
      return *this = added;
    return *this = unusual_sum(*this, other);
  }
  /// -inf minus a number is -inf. Throws std::range_error if `other` is -inf.
  FixedPoint& operator-=(FixedPoint other) {
    if (!is_number() || !other.is_number()) return *this = unusual_difference(*this, other);
    const FixedPoint left = difference(*this, other);
    return *this = left.is_number() ? left : unusual_difference(*this, other);
  }
  friend FixedPoint operator+(FixedPoint a, FixedPoint b) { return a += b; }
  friend FixedPoint operator-(FixedPoint a, FixedPoint b) { return a -= b; }
  friend constexpr auto operator<=>(FixedPoint, FixedPoint) = default;

 private:
  friend class Team;

  static constexpr std::int64_t end = std::int64_t{1} << 58;        // bound of upper halves
  static constexpr std::int64_t lowest = -(std::int64_t{1} << 62);  // upper half of -inf

  constexpr FixedPoint(std::int64_t high, std::uint64_t low) : high_(high), low_(low) {}

  static constexpr FixedPoint sum(FixedPoint a, FixedPoint b) {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
  }
  static constexpr FixedPoint difference(FixedPoint a, FixedPoint b) {
    return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0), a.low_ - b.low_};
  }
  constexpr bool is_number() const { return high_ >= -end && high_ < end; }

  // Three parts, whose sums over up to 2^20 members fit into 64 bits; the fourth is 1 for -inf.
  using Parts = std::array<std::int64_t, 4>;
  Parts parts() const;
  static FixedPoint of_sums(std::span<const std::int64_t, 4> sums);

  static FixedPoint of_unusual(double value);
  static FixedPoint unusual_sum(FixedPoint a, FixedPoint b);
  static FixedPoint unusual_difference(FixedPoint a, FixedPoint b);

  // The value is high · 2^64 + low, in units of 2^-60. An aligned integer of 128 bits would leave
  // uninitialised padding in structs that walkers pack.
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace regroup
