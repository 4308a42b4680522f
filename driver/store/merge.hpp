// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/catalog.hpp"

namespace regroup {

struct MergeOptions {
  std::string into;                      ///< a directory of results
  std::vector<std::string> directories;  ///< none: the shards below it
  bool mixed = false;                    ///< whatever their configurations and circumstances are
};

/// Adds the results in other directories, of shards or of retries, to one: every task once. What
/// ended well wins; of two that did, or of two that did not, what was there before, and then what
/// was named first. Every document of the provenance is kept. Throws UserError, and has changed
/// nothing then.
void merge(const MergeOptions& options, const Catalog& catalog);

/// Where shard `number` of `of` has its results, below the directory of the whole:
/// "shard-2-of-3".
std::string shard_directory(int number, int of);

/// The directories of shards below a directory of results, in the order of their numbers.
std::vector<std::string> shard_directories(const std::string& directory);

}  // namespace regroup
