// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/clocks/offset_in_time.hpp"

#include <algorithm>
#include <cmath>

namespace regroup {

void Exchanges::add(double sent, double there, double returned) {
  if (number_ == 0) began_ = sent;
  ++number_;
  ++without_gain_;
  took_ = returned - began_;
  const double round_trip = returned - sent;
  if (round_trip >= shortest_) return;
  shortest_ = round_trip;
  without_gain_ = 0;
  const double middle = sent + round_trip / 2;
  best_ = {middle, there - middle, round_trip / 2};
}

bool Exchanges::enough() const {
  return without_gain_ >= in_vain || number_ >= most || took_ >= longest_s;
}

namespace {

/// Maximum drift between two clocks; faster readings are due to measurement errors.
constexpr double fastest = 1e-3;

}  // namespace

void OffsetInTime::add(const ClockReading& reading) {
  const double missed = readings_.empty() ? 0 : std::abs(predicted(reading.at) - reading.offset);
  predicted_error_ = std::max(predicted_error_, missed + reading.error);
  error_ = std::max(error_, reading.error);
  readings_.push_back(reading);
  const double time = reading.at - first().at;
  if (time > 0) rate_ = std::clamp((reading.offset - first().offset) / time, -fastest, fastest);
}

double OffsetInTime::between(double at) const {
  if (readings_.empty()) return 0;
  const auto next = std::ranges::lower_bound(readings_, at, {}, &ClockReading::at);
  if (next == readings_.begin()) return next->offset;
  const ClockReading& before = *(next - 1);
  if (next == readings_.end()) return before.offset;
  const double part = (at - before.at) / (next->at - before.at);
  return before.offset + part * (next->offset - before.offset);
}

double OffsetInTime::predicted(double at) const {
  if (readings_.empty()) return 0;
  const ClockReading& last = readings_.back();
  return last.offset + rate_ * (at - last.at);
}

}  // namespace regroup
