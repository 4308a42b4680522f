// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup table`: the results in a directory, a row for each setting.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driver/store/keys.hpp"
#include "driver/store/record.hpp"
#include "kernel/text/table.hpp"

namespace regroup {

/// More rows or lines than this are too many for people: a summary is printed instead.
inline constexpr std::size_t most_rows = 100;

/// Prints rows as CSV or, each in a line, as JSON. `each_row` calls its argument with the cells of
/// each.
void print_for_programs(
    bool json, const std::vector<ColumnHelp>& columns,
    const std::function<void(const std::function<void(const Cells&)>& print)>& each_row);

/// Prints the rows of the file of runs, or of measurements of `kind`, that meet `where`, as they
/// are. Throws UserError.
void print_rows(const std::string& directory, const MeasurementKind* kind, const Where& where,
                const Catalog& catalog);

/// Prints the results of runs as text, markdown, latex, csv or json. Throws UserError.
void print_run_table(const std::string& directory, const std::string& format, const Where& where,
                     const Catalog& catalog);

/// The columns of the formats csv and json of runs.
std::vector<ColumnHelp> table_columns();

/// Prints a summary of measurements as text; or as csv or json a row for each setting and
/// combination of options, with the medians over repetitions and seeds. Throws UserError.
void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Where& where, const Catalog& catalog);

}  // namespace regroup
