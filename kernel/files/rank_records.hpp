// SPDX-License-Identifier: BSD-3-Clause
//
// A file in which each rank of a run stores a line about itself, independently of other ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// The file beside `outcome_file` that ranks write if their start or the run takes long.
std::string rank_records_file(const std::string& outcome_file);

/// Replaces the line of `rank`. Long lines are truncated; errors are ignored.
void write_rank_record(const std::string& file, int rank, std::string_view line);

/// Returns the lines of ranks 0 to `ranks` - 1. Lines that are missing are empty.
std::vector<std::string> read_rank_records(const std::string& file, int ranks);

}  // namespace regroup
