// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tests/tasks.hpp"

namespace regroup::micro {

/// Returns every balancer with its default options, and with those that cause the most activity.
inline std::vector<Chosen<BalancerEntry>> balancer_choices() {
  std::vector<Chosen<BalancerEntry>> choices;
  for (const BalancerEntry& entry : catalog().balancers) {
    choices.push_back({&entry, with_fallbacks(entry).options});
    Chosen<BalancerEntry> busiest = choices.back();
    if (busiest.options.has("exchange_interval")) busiest.options.set("exchange_interval", "1");
    if (busiest.options.has("finished_groups")) busiest.options.set("finished_groups", "merge");
    if (busiest != choices.back()) choices.push_back(busiest);
  }
  return choices;
}

/// Returns a benchmark name, such as "collective/interval:16".
inline std::string name_of(const Chosen<BalancerEntry>& choice) {
  std::string name(choice->name);
  for (const auto& [option, value] : choice.options) name += "/" + option + ":" + value;
  return name;
}

}  // namespace regroup::micro
