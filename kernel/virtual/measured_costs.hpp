// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace regroup {

/// What forming a communicator with `strategy` took, from a creation.csv: (log2 of the size,
/// median seconds), by size. The size is that of the parent where `by_parent`, else of the group.
/// Only rows of the pattern `one_group` with status ok count. Throws UserError, with the file,
/// where it cannot be read or has no row of the strategy.
std::vector<std::pair<double, double>> read_measured_costs(const std::string& file,
                                                           const std::string& strategy,
                                                           bool by_parent);

}  // namespace regroup
