// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/csv.hpp"
#include "kernel/outcome.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// The runs of a directory read back; in the order of their rows.
struct StoredRun {
  std::string id;
  Scenario scenario;
  std::string status;
  std::vector<std::string> fields;  ///< of its row
};
struct StoredResults {
  CsvTable runs;
  std::vector<StoredRun> list;
};
StoredResults read_runs(const std::string& directory);

/// The lives of the groups of every run, by the run's fingerprint.
std::map<std::string, std::vector<GroupLife>> read_events(const std::string& directory);

}  // namespace regroup
