// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/advice/advice.hpp"
#include "jobs/advice/prices.hpp"

namespace regroup {

/// What one choice saves of a run of another one.
struct Saving {
  double seconds;
  double part;  ///< of the other's time
  double core_hours;
};
Saving saving(const Standing& best, const Standing& other, int ranks);

/// The lines of a configuration: `balancers`, and `group_size` where another is better.
std::string lines_to_paste(const Advice& advice);

/// A few lines about one problem.
std::string as_text(const Advice& advice);

/// All of it as JSON, whose keys docs/advice.md tells.
std::string as_json(const Configuration& configuration, const Prices& prices,
                    const std::vector<Advice>& advice);

}  // namespace regroup
