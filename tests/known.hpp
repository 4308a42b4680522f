// SPDX-License-Identifier: BSD-3-Clause
//
// What a test tells a balancer.
#pragma once

#include <optional>
#include <utility>

#include "regroup/balancer.hpp"

namespace regroup {

/// An item of a rank takes a second, of more ranks as much less; all else takes no time.
inline const Forecast second_per_item{[](int ranks) { return 1.0 / ranks; },
                                      [](int) { return 0.0; }, [](int) { return 0.0; }};

/// `Knowledge` with the group that it is of, in a run of sixteen ranks.
struct Known {
  Group group;
  std::optional<Message> message;
  std::uint64_t random = 0;

  operator Knowledge() const { return {group, 16, second_per_item, message, random}; }
};

}  // namespace regroup
