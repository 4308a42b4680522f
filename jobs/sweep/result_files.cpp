// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/result_files.hpp"

#include "jobs/catalog/catalog.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/results/run_logs.hpp"

namespace regroup {

std::vector<ResultFile> files_of(std::string_view kind) {
  std::vector<ResultFile> files{{file_of(kind), columns_of(kind)}};
  if (kind != "run") return files;
  files.push_back({"regroups.csv", regroup_columns()});
  files.push_back({"events.csv", event_columns()});
  files.push_back({"chains.csv", chain_columns()});
  return files;
}

std::vector<ResultFile> all_result_files() {
  std::vector<ResultFile> all = Inventory::tables(files_of("run"));
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    all.push_back(Inventory::tables(files_of(kind.name)).front());
  }
  return all;
}

}  // namespace regroup
