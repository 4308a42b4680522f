// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// Names of what others made of the results in `directory` and left beside them: pictures, reports
/// and the table of jobs/local.sh. In order.
std::vector<std::string> made_of_results(const std::string& directory);

}  // namespace regroup
