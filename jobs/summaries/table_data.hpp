// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>

#include "jobs/records/columns.hpp"
#include "jobs/summaries/table_columns.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// A column of the table of runs for programs: no cell has more than one value, and none a unit.
struct DataColumn : ResultColumn {
  std::function<std::string(const Line& line)> value;  ///< empty where there is none
};

/// The parameters as in runs.csv, what was met, and the figures.
std::span<const DataColumn> data_columns();

// Print a row for each of `settings`; as JSON with the schema, and null for what is empty.
void print_table_as_csv(const Settings& settings);
void print_table_as_json(const Settings& settings);

// The same of a measurement's rows, as its file has them. Throws UserError where it cannot be read.
void print_rows_as_csv(const MeasurementKind& kind, const std::string& directory);
void print_rows_as_json(const MeasurementKind& kind, const std::string& directory);

}  // namespace regroup
