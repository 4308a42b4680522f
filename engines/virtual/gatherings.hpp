// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// A regrouping and the groups that have arrived at it.
struct Gathering {
  std::vector<int> parts;  ///< leaders of these groups
  Regroup regroup;
};

/// The regroupings that still wait for groups.
class Gatherings {
 public:
  /// Adds `group` to `regroup`. Returns the complete regrouping if `group` is the last to arrive,
  /// one without parts if groups are missing, or nothing if an earlier group decided differently.
  std::optional<Gathering> come(const Group& group, Regroup regroup);

 private:
  struct Open {
    Gathering gathering;
    int missing;  // number of ranks
  };

  std::unordered_map<int, Open> open_;  // by the lowest rank of the regrouping
};

}  // namespace regroup
