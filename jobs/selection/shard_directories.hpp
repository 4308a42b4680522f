// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/selection/shard.hpp"

namespace regroup {

/// Where a shard has its results, below the directory of the whole: "shard-2-of-3".
std::string shard_directory(const Shard& shard);

/// The directories of shards below a directory of results, in the order of their numbers.
std::vector<std::string> shard_directories(const std::string& directory);

}  // namespace regroup
