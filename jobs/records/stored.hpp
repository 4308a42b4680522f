// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/records/record.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {

/// What a row of the file of `kind` tells: the task with those figures that are facts of their own;
/// the lives of a run are in another file. Its `inputs` are what the row says, or nothing where an
/// older version of regroup wrote it; likewise its parameters are as is usual where there is no
/// column. Throws UserError with the line where a value cannot be.
Record stored_record(const CsvRow& row, std::string_view kind);

/// Calls `visit` with every row of the file of `kind` in a directory of results, and with what it
/// tells, the name of its invocation included.
void each_stored(const std::string& directory, std::string_view kind,
                 const std::function<void(const CsvRow& row, Record record)>& visit);

/// What all of them tell.
std::vector<Record> stored_records(const std::string& directory, std::string_view kind);

}  // namespace regroup
