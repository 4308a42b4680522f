// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/results/inventory.hpp"

namespace regroup {

/// The files of tasks of `kind`, without the columns that an inventory adds: that with a row for
/// each task, and those beside it.
std::vector<ResultFile> files_of(std::string_view kind);

/// Throws UserError where `directory` holds results of another kind: they would share files.
void check_kind(const std::string& directory, std::string_view kind);

/// All files that sweeps write, with all of their columns.
std::vector<ResultFile> all_result_files();

}  // namespace regroup
