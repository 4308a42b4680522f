// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// All that come to a regrouping.
struct Gathering {
  std::vector<int> parts;  ///< their leaders
  Regroup regroup;
};

/// The regroupings to which not all have come.
class Gatherings {
 public:
  /// `group` comes to `regroup`. Answers the whole regrouping where it is the last, one without
  /// parts where others are missing, and nothing where another one came that decided otherwise.
  std::optional<Gathering> come(const Group& group, Regroup regroup);

 private:
  struct Open {
    Gathering gathering;
    int missing;  // ranks
  };

  std::unordered_map<int, Open> open_;  // by the lowest rank that a regrouping has
};

}  // namespace regroup
