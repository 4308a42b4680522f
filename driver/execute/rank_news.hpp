// SPDX-License-Identifier: BSD-3-Clause
//
// Messages about the ranks of a task, from their records (library/rank_watch.hpp).
#pragma once

#include <string>

#include "driver/config/reader.hpp"
#include "library/task.hpp"

namespace regroup {

/// Reports on a task before its common start: the missing ranks, with their hosts according to
/// HYDRA_HOST_FILE, or the activities of the ranks if none is missing. `records` is a file.
std::string start_news(const Configuration& configuration, const Task& task,
                       const std::string& records);

/// The progress of the groups of a run shortly before its timeout.
struct Positions {
  std::string summary;  ///< of the groups with most items left, in one line; empty if unknown
  std::string all;      ///< a line for each group, and for each member with another activity
};
Positions positions_of(const Task& task, const std::string& records);

}  // namespace regroup
