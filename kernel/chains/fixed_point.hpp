// SPDX-License-Identifier: BSD-3-Clause
//
// Real numbers whose sum does not depend on the order: multiples of 2^-32 as integers.
//
// A sum of floating-point numbers changes in its last bits with the order of its terms, and so with
// the number of members that share them. A fixed tree over fixed blocks of terms would keep the
// order, but every member would have to hold whole blocks, and small sums would be cut into as many
// as large ones. Integers need no order at all, MPI adds them itself, and a running sum that terms
// are added to and taken from stays exact for ever. The price is a range: |sum| < 2^31.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace regroup {

class FixedPoint {
 public:
  static constexpr double steps = 4294967296.0;  ///< in 1
  static constexpr double most = 1 << 20;        ///< terms beyond count as this much

  constexpr FixedPoint() = default;
  static constexpr FixedPoint of_bits(std::int64_t bits) { return FixedPoint(bits); }

  /// The nearest to `value`, which is no NaN; of numbers beyond ±`most`, that.
  static FixedPoint of(double value) {
    return FixedPoint(std::llrint(std::clamp(value, -most, most) * steps));
  }

  constexpr std::int64_t bits() const { return bits_; }
  constexpr double value() const { return static_cast<double>(bits_) / steps; }

  constexpr FixedPoint& operator+=(FixedPoint other) {
    bits_ += other.bits_;
    return *this;
  }
  constexpr FixedPoint& operator-=(FixedPoint other) {
    bits_ -= other.bits_;
    return *this;
  }
  friend constexpr FixedPoint operator+(FixedPoint a, FixedPoint b) { return a += b; }
  friend constexpr FixedPoint operator-(FixedPoint a, FixedPoint b) { return a -= b; }
  friend constexpr auto operator<=>(FixedPoint, FixedPoint) = default;

 private:
  constexpr explicit FixedPoint(std::int64_t bits) : bits_(bits) {}

  std::int64_t bits_ = 0;
};

}  // namespace regroup
