// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/clocks/exchanges.hpp"

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

}  // namespace regroup
