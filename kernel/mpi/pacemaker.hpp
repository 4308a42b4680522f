// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "kernel/forecast.hpp"
#include "kernel/items/item_time.hpp"

namespace regroup {

/// Foretells what items, orders and regroupings of this process take, from what they took: the
/// run's item times, times how much longer items took here, and averages of the others. All change
/// in steps of a tenth, so that decisions do not hang on noise.
class Pacemaker {
 public:
  explicit Pacemaker(const ItemTime& item_time);
  Pacemaker(const Pacemaker&) = delete;
  Pacemaker& operator=(const Pacemaker&) = delete;

  const Forecast& forecast() const { return forecast_; }

  // All in seconds.
  void items_took(double expected_s, double measured_s);
  void order_took(double measured_s);
  void regrouping_took(double measured_s);

 private:
  struct Mean {
    double sum = 0;
    std::int64_t number = 0;
    void add(double value);
    /// In steps of a tenth; 0 where nothing was added.
    double coarse() const;
  };

  double expected_s_ = 0;
  double measured_s_ = 0;
  double slower_ = 1;  // than expected, in steps of a tenth
  Mean order_;
  Mean regrouping_;
  Forecast forecast_;
};

}  // namespace regroup
