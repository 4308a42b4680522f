// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "balancers/balancers.hpp"

namespace regroup::micro {

/// Every balancer with the fallbacks of its options, and the options that make it do most.
inline std::vector<Choice> balancer_choices() {
  std::vector<Choice> choices;
  for (const BalancerEntry& entry : balancers()) {
    choices.push_back(with_fallbacks(entry));
    Choice busiest = choices.back();
    if (busiest.options.has("exchange_interval")) busiest.options.set("exchange_interval", "1");
    if (busiest.options.has("finished_groups")) busiest.options.set("finished_groups", "merge");
    if (busiest != choices.back()) choices.push_back(busiest);
  }
  return choices;
}

/// "collective/interval:16"
inline std::string name_of(const Choice& choice) {
  std::string name = choice.name;
  for (const auto& [option, value] : choice.options) name += "/" + option + ":" + value;
  return name;
}

}  // namespace regroup::micro
