// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/result_files.hpp"

#include <fmt/format.h>

#include "jobs/records/measurement_record.hpp"
#include "jobs/records/run_record.hpp"
#include "jobs/results/run_logs.hpp"

namespace regroup {

std::vector<ResultFile> files_of_runs() {
  return {{"runs.csv", run_columns()},
          {"regroups.csv", regroup_columns()},
          {"events.csv", event_columns()}};
}

std::vector<ResultFile> files_of(const MeasurementKind& kind) {
  return {{fmt::format("{}.csv", kind.name), columns_of(kind)}};
}

std::vector<ResultFile> all_result_files() {
  std::vector<ResultFile> all = Inventory::tables(files_of_runs());
  for (const MeasurementKind& kind : measurement_kinds()) {
    all.push_back(Inventory::tables(files_of(kind)).front());
  }
  return all;
}

}  // namespace regroup
