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

/// Adds the results in other directories to one: every task once. A result that ended well wins,
/// then the one that was there before, then the one that was named first. Every document of the
/// provenance is kept. Throws UserError before anything is changed.
void merge(const MergeOptions& options, const Catalog& catalog);

/// "shard-2-of-3": the directory of shard `number` of `of`, below that of the whole.
std::string shard_directory(int number, int of);

/// The directories of shards below a directory of results, in the order of their numbers.
std::vector<std::string> shard_directories(const std::string& directory);

}  // namespace regroup
