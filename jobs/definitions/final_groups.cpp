// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "jobs/definitions/make.hpp"
#include "jobs/words/without_events.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {

std::vector<RankSet> final_groups(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/events.csv";
  std::vector<RankSet> groups;
  std::string found = run;
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    if (row["end_event"] != "stop") continue;
    if (found.empty()) found = row["run"];
    if (row["run"] != found) {
      if (!run.empty()) continue;
      throw UserError(fmt::format("{}: there are several runs; name one, with --id: {}, {}, …",
                                  path, found, row["run"]));
    }
    const auto ranks = rank_set_of(row["group_ranks"]);
    if (!ranks)
      throw UserError(fmt::format("{}:{}: no ranks: '{}'", path, row.line, row["group_ranks"]));
    groups.push_back(*ranks);
  }
  if (groups.empty()) {
    const std::string why = why_without_events(directory, run);
    if (!why.empty()) throw UserError(fmt::format("{}: {}", path, why));
    throw UserError(run.empty() ? fmt::format("{}: no run has ended", path)
                                : fmt::format("{}: no run {} has ended", path, run));
  }
  std::ranges::sort(groups, {}, &RankSet::lo);
  return groups;
}

}  // namespace regroup
