// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/describe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "balancers/balancers.hpp"

namespace regroup {

std::string describe_balancer(const Scenario& scenario) {
  std::string text = scenario.balancer.name;
  const BalancerEntry* entry = find_entry(balancers(), scenario.balancer.name);
  std::string options;
  for (const OptionSpec& spec : entry->options) {
    const std::string& value = scenario.balancer.options.text(spec.name);
    // The paper writes collective(16): the first option needs no name, others show when not usual.
    if (&spec != &entry->options.front() && value == spec.fallback) continue;
    if (!options.empty()) options += ", ";
    options += &spec == &entry->options.front() ? value : fmt::format("{}={}", spec.name, value);
  }
  if (!options.empty()) text += "(" + options + ")";
  if (!scenario.communicator.empty()) text += ", " + scenario.communicator;
  return text;
}

std::string describe(const Scenario& scenario) {
  return fmt::format("{} ranks, G {}, T {:g} ms, {}, #{}", scenario.ranks, scenario.group_size,
                     scenario.item_ms, describe_balancer(scenario), scenario.repetition);
}

std::string duration(double seconds) {
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace regroup
