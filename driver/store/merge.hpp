// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

struct MergeOptions {
  std::string into;                      ///< a directory of results
  std::vector<std::string> directories;  ///< none: the shards below it
  bool mixed = false;                    ///< whatever their configurations and circumstances are
  bool break_lock = false;
};

/// Adds what other directories of results hold, of shards or of retries, to one: every task once.
/// What ended well wins; of two that did, or of two that did not, what was there before, and then
/// what was named first. Every document of the provenance is kept, and the rows name theirs. Throws
/// UserError, and has changed nothing then.
void merge(const MergeOptions& options);

}  // namespace regroup
