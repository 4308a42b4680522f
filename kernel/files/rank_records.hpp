// SPDX-License-Identifier: BSD-3-Clause
//
// A file in which each rank of a run leaves a line about itself, without regard to the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// The one beside `outcome_file`, which ranks write when their start, or the run, takes long.
std::string rank_records_file(const std::string& outcome_file);

/// Replaces the line of `rank`. A line that is too long is cut; what cannot be written is lost.
void write_rank_record(const std::string& file, int rank, std::string_view line);

/// The lines of ranks 0 … `ranks` - 1, empty where there is none, or no file.
std::vector<std::string> read_rank_records(const std::string& file, int ranks);

}  // namespace regroup
