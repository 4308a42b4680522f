// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup table`: the results in a directory, a row for each setting.
#pragma once

#include <string>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// Prints the results of runs as text, markdown, latex, csv or json. Throws UserError.
void print_run_table(const std::string& directory, const std::string& format,
                     const Catalog& catalog);

/// The columns of the formats csv and json of runs.
std::vector<ColumnHelp> table_columns();

/// Prints a summary of measurements as text; or as csv or json a row for each setting and
/// combination of options, with the medians over repetitions and seeds. Throws UserError.
void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Catalog& catalog);

}  // namespace regroup
