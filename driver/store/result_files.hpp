// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/store/inventory.hpp"

namespace regroup {

/// The files of tasks of `kind`, without the columns that an inventory adds: that with a row for
/// each task, and those beside it.
std::vector<ResultFile> files_of(std::string_view kind);

/// Throws UserError where `directory` holds results of another kind: they would share files.
void check_kind(const std::string& directory, std::string_view kind);

/// All files that sweeps write, with all of their columns.
std::vector<ResultFile> all_result_files();

/// Names of what others made of the results in `directory` and left beside them: pictures, reports
/// and the table of jobs/local.sh. In order.
std::vector<std::string> made_of_results(const std::string& directory);

}  // namespace regroup
