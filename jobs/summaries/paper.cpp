// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/paper.hpp"

#include "jobs/catalog/catalog.hpp"

namespace regroup {

const PaperRow* paper_row(const Scenario& run) {
  const Choice papers_workload{"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  if (run.group_size != 4 || run.groups != equal_groups || run.workload != papers_workload)
    return nullptr;
  if (run.walkers_per_group != 1 || run.walkers_in_all != 0) return nullptr;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, run.balancer.name);
  const std::string option =
      entry->options.empty() ? "" : run.balancer.options.text(entry->options.front().name);
  for (const PaperRow& row : paper_rows) {
    if (row.balancer == run.balancer.name && row.option == option) return &row;
  }
  return nullptr;
}

}  // namespace regroup
