// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "jobs/results/inventory.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// The files of runs, without the columns that an inventory adds: runs.csv and those beside it.
std::vector<ResultFile> files_of_runs();

/// The one file of measurements of `kind`, likewise.
std::vector<ResultFile> files_of(const MeasurementKind& kind);

/// All files that sweeps write, with all of their columns.
std::vector<ResultFile> all_result_files();

}  // namespace regroup
