// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "kernel/scenario.hpp"

namespace regroup {

class ItemTime {
 public:
  explicit ItemTime(const Scenario& scenario) : item_s_(scenario.item_ms / 1000) {}

  double seconds(int group_size, int, std::int64_t) const { return item_s_ / group_size; }

 private:
  double item_s_;
};

}  // namespace regroup
