// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/pacemaker.hpp"

#include <cmath>

namespace regroup {
namespace {

/// The power of 1.1 that is nearest.
double in_steps(double value) {
  return value > 0 ? std::pow(1.1, std::round(std::log(value) / std::log(1.1))) : 0;
}

}  // namespace

void Pacemaker::Mean::add(double value) {
  sum += value;
  ++number;
}

double Pacemaker::Mean::coarse() const {
  return number > 0 ? in_steps(sum / static_cast<double>(number)) : 0;
}

Pacemaker::Pacemaker(const ItemTime& item_time)
    : forecast_{[this, &item_time](int ranks) { return slower_ * item_time.seconds(ranks); },
                [this](int) { return order_.coarse(); },
                [this](int) { return regrouping_.coarse(); }} {}

void Pacemaker::items_took(double expected_s, double measured_s) {
  expected_s_ += expected_s;
  measured_s_ += measured_s;
  if (expected_s_ > 0) slower_ = in_steps(measured_s_ / expected_s_);
}

void Pacemaker::order_took(double measured_s) { order_.add(measured_s); }

void Pacemaker::regrouping_took(double measured_s) { regrouping_.add(measured_s); }

}  // namespace regroup
