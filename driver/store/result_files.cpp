// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/result_files.hpp"

#include <fmt/format.h>

#include "driver/store/columns.hpp"
#include "driver/store/run_files.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

std::vector<ResultFile> files_of(std::string_view kind) {
  std::vector<ResultFile> files{{file_of(kind), columns_of(kind)}};
  if (kind != "run") {
    files.push_back({samples_file, sample_columns()});
    return files;
  }
  files.push_back({"regroups.csv", regroup_columns()});
  files.push_back({"events.csv", event_columns()});
  files.push_back({"chains.csv", chain_columns()});
  return files;
}

void check_kind(const std::string& directory, std::string_view kind) {
  const auto refuse = [&](std::string_view other) {
    const std::string file = directory + "/" + file_of(other);
    if (other == kind || !file_exists(file)) return;
    throw UserError(fmt::format(
        "{}: the directory holds results of another kind; --out names another one", file));
  };
  refuse("run");
  for (const MeasurementKind& other : standard_catalog().measurements) refuse(other.name);
}

std::vector<ResultFile> all_result_files() {
  std::vector<ResultFile> all = Inventory::tables(files_of("run"));
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    all.push_back(Inventory::tables(files_of(kind.name)).front());
  }
  all.push_back({samples_file, sample_columns()});
  return all;
}

}  // namespace regroup
