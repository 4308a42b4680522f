// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "jobs/commands.hpp"
#include "jobs/config_node.hpp"
#include "jobs/describe.hpp"
#include "jobs/stored_results.hpp"
#include "kernel/audit.hpp"

namespace regroup {

int verify(const std::string& directory) {
  const StoredResults results = read_runs(directory);
  const auto lives = read_events(directory);
  if (results.list.empty()) {
    throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  }
  std::size_t verified = 0;
  for (const StoredRun& run : results.list) {
    if (run.status != "ok") continue;
    const auto found = lives.find(run.id);
    const auto wrong =
        found == lives.end()
            ? std::optional<std::string>("it has no events")
            : first_violation(found->second,
                              initial_groups(run.scenario.ranks, run.scenario.group_size),
                              initial_items(run.scenario));
    if (wrong) {
      fmt::print("{}: run {} ({}): {}\n", directory, run.id, describe(run.scenario), *wrong);
      return 1;
    }
    ++verified;
  }
  fmt::print("{}: {} of {} runs verified{}\n", directory, verified, results.list.size(),
             verified == results.list.size() ? "" : "; the others did not end well");
  return 0;
}

}  // namespace regroup
