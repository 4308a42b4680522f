// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace regroup {

/// What a walker observed: samples of one quantity, its energy for instance, and how many of the
/// moves that it proposed it accepted. All members of its group observe the same.
struct Observed {
  std::int64_t samples = 0;
  double sum = 0;
  double squares = 0;  ///< the sum of their squares
  std::int64_t proposed = 0;
  std::int64_t accepted = 0;

  /// `times` samples of the same value.
  void sample(double value, std::int64_t times = 1) {
    const auto weight = static_cast<double>(times);
    samples += times;
    sum += weight * value;
    squares += weight * (value * value);
  }

  Observed& operator+=(const Observed& other) {
    samples += other.samples;
    sum += other.sum;
    squares += other.squares;
    proposed += other.proposed;
    accepted += other.accepted;
    return *this;
  }
};

}  // namespace regroup
