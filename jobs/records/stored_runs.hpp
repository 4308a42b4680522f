// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "jobs/records/run_record.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {

/// A run read back. Its `inputs` are what the row says, or nothing where an older version of
/// regroup wrote it.
struct StoredRun {
  std::string id;
  Scenario scenario;
  std::string status;
  std::vector<std::string> fields;  ///< of its row
};

/// The run that a row of runs.csv tells about. Throws UserError with its line where a value in it
/// cannot be.
StoredRun stored_run(const CsvRow& row);

/// The run `scenario` of that row with those figures that are facts of their own; its lives are in
/// another file.
RunRecord stored_record(const CsvRow& row, const Scenario& scenario);

}  // namespace regroup
