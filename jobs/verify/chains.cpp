// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/chains.hpp"

#include <fmt/format.h>

#include "jobs/catalog/resolve.hpp"
#include "jobs/words/describe.hpp"

namespace regroup {

void ChainsCheck::compare(const CsvRow& row, const Record& record) {
  if (!record.outcome || record.outcome->chains_hash.empty() || !row.has("problem")) return;
  const Scenario& task = record.task;
  std::string problem(row["problem"]);
  if (record.outcome->resumed_items > 0) {
    try {
      problem = problem_of(initial_items(task));  // of all items, not of the rest
    } catch (const std::exception&) {
      return;  // it read a file that is gone
    }
  }
  std::string key = fmt::format("{} {}", problem, chains_of(task));
  if (task.may_end_early()) {
    key += fmt::format(" every {} until {} {}", task.report_every, task.until_r_hat,
                       task.until_effective_samples);
  }
  const std::string& hash = record.outcome->chains_hash;
  const auto [first, is_new] = first_.try_emplace(key, row["run"], hash);
  if (is_new || first->second.hash == hash) return;
  faults_.add(
      path_, row.line,
      fmt::format("run {} ({}): its chains came to {}, and those of run {} to {}, which had "
                  "the same to do",
                  row["run"], describe(task), hash, first->second.run, first->second.hash));
}

}  // namespace regroup
