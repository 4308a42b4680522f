// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// The directories of shards below a directory of results, in the order of their numbers.
std::vector<std::string> shard_directories(const std::string& directory);

}  // namespace regroup
