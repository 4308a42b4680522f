// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/catalog.hpp"

namespace regroup {

struct MergeOptions {
  std::string into;                      ///< a directory of results
  std::vector<std::string> directories;  ///< if empty: the shards below `into`
  bool mixed = false;                    ///< allow different configurations and circumstances
};

/// Adds the results in other directories to one, with one result for each task: preferably one that
/// ended well, then one that was already there, then that of the first directory. All provenance
/// documents are kept. Throws UserError before anything is changed.
void merge(const MergeOptions& options, const Catalog& catalog);

/// Returns the name of the directory of shard `number` of `of`: "shard-2-of-3".
std::string shard_directory(int number, int of);

/// Returns the directories of shards below a directory of results, ordered by count and number.
std::vector<std::string> shard_directories(const std::string& directory);

}  // namespace regroup
