// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup table`: prints the results in a directory, with a row for each setting.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driver/store/keys.hpp"
#include "driver/store/record.hpp"
#include "kernel/text/table.hpp"

namespace regroup {

/// Longest table for people. For more rows or lines, a summary is printed instead.
inline constexpr std::size_t most_rows = 100;

/// Prints rows as CSV or as JSON, one per line. `each_row` calls its argument with the cells of
/// each row.
void print_for_programs(
    bool json, const std::vector<ColumnHelp>& columns,
    const std::function<void(const std::function<void(const Cells&)>& print)>& each_row);

/// Prints unchanged the rows that meet `where` from the file of measurements of `kind`, or of runs
/// if it is nullptr. Throws UserError.
void print_rows(const std::string& directory, const MeasurementKind* kind, const Where& where,
                const Catalog& catalog);

/// Prints the results of runs as text, markdown, latex, csv or json. Throws UserError.
void print_run_table(const std::string& directory, const std::string& format, const Where& where,
                     const Catalog& catalog);

/// Returns the columns of the formats csv and json for runs.
std::vector<ColumnHelp> table_columns();

/// Prints measurements: a summary as text, or as csv or json a row for each setting and combination
/// of options, with medians over repetitions and seeds. Throws UserError.
void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Where& where, const Catalog& catalog);

}  // namespace regroup
