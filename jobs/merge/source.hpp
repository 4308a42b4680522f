// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/merge/documents.hpp"
#include "jobs/results/inventory.hpp"

namespace regroup {

/// A directory of results that is to be merged with others.
struct Source {
  std::string directory;
  std::vector<ResultFile> tables;
  Inventory inventory;
  std::vector<Document> documents;
  std::map<int, int> numbers;  ///< of its invocations in what they are merged to
};

/// Whether a directory, which may not be there, holds any results.
bool holds_results(const std::string& directory);

/// The directories of shards below `directory`; said, and left out, are those of which nothing can
/// be had yet, since a sweep is at work there (unless its lock may be broken) or has not begun.
std::vector<std::string> finished_shards(const std::string& directory, bool break_lock);

/// The kind of what `directory` holds results of: "run", "creation". Throws UserError where there
/// are none, or of several kinds.
std::string kind_in(const std::string& directory);

/// Reads `directory` and checks that it can be merged: its columns are ours, and nobody has changed
/// its files since regroup wrote them. `killed`: who wrote them was, and may have left more than
/// the checksums say. Throws UserError.
Source read_source(const std::string& directory, std::string_view kind, bool killed);

/// Throws UserError where what `sources` hold is of several configurations, or was made under
/// circumstances that are unlike each other.
void check_alike(const std::vector<Source>& sources);

}  // namespace regroup
