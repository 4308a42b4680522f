// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks of a task tell of themselves in their records (library/rank_watch.hpp).
#pragma once

#include <string>

#include "driver/config/reader.hpp"
#include "library/task.hpp"

namespace regroup {

/// Of a task whose ranks have not started together: which are not there yet, and on which of the
/// hosts in HYDRA_HOST_FILE they should be; or that all wait for each other. `records` is a file.
std::string start_news(const Configuration& configuration, const Task& task,
                       const std::string& records);

/// Where the groups of a run were shortly before its time was over.
struct Positions {
  std::string summary;  ///< of those with most items left; one line, empty where nothing is known
  std::string all;      ///< one line for each group, and those of their ranks that do other things
};
Positions positions_of(const Task& task, const std::string& records);

}  // namespace regroup
