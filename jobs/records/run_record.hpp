// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "jobs/records/ended.hpp"
#include "jobs/records/result_column.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// One run with what came out of it: a row of runs.csv.
struct RunRecord : Ended {
  Scenario scenario;
  std::optional<Outcome> outcome;  ///< where it ended well
  double memory_mb = 0;            ///< most that a run in virtual time took; 0 where not measured
};

/// The columns of runs.csv, and the fields of the row of `record`, which had `items` to execute
/// (those of all groups at the start). Every parameter is a column.
std::vector<ResultColumn> run_columns();
std::vector<std::string> run_fields(const RunRecord& record, std::span<const std::int64_t> items);

}  // namespace regroup
