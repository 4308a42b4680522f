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

/// ", exponential(mean=140)" where `choice` is not the usual one.
static std::string describe_choice(const Choice& choice, std::string_view usual) {
  if (choice.name == usual) return {};
  std::string options;
  for (const auto& [name, value] : choice.options) {
    options += fmt::format("{}{}={}", options.empty() ? "" : ", ", name, value);
  }
  return fmt::format(", {}({})", choice.name, options);
}

std::string describe(const Scenario& scenario) {
  std::string text = fmt::format("{} ranks, G {}, T {:g} ms", scenario.ranks, scenario.group_size,
                                 scenario.item_ms);
  text += describe_choice(scenario.workload, "cyclic");
  text += describe_choice(scenario.speedup, "perfect");
  if (scenario.jitter > 0) text += fmt::format(", jitter {:g}", scenario.jitter);
  if (!scenario.costs.name.empty() && scenario.costs.name != "free")
    text += ", costs " + scenario.costs.name;
  if (scenario.waiting != "auto") text += ", waiting " + scenario.waiting;
  if (scenario.walker != "sleep") text += ", " + scenario.walker;
  text += ", " + describe_balancer(scenario);
  if (scenario.seed != 1) text += fmt::format(", seed {}", scenario.seed);
  return text + fmt::format(", #{}", scenario.repetition);
}

std::string duration(double seconds) {
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace regroup
