// SPDX-License-Identifier: BSD-3-Clause
#include "library/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "library/task.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

std::string describe_balancer(const Scenario& scenario) {
  std::string text = scenario.balancer.name;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, scenario.balancer.name);
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

std::string describe_groups(const Scenario& scenario) {
  constexpr std::size_t longest = 24;
  const std::string& text = scenario.groups;
  if (text.size() <= longest) return text;
  return fmt::format("{} {}", std::ranges::count(text, '/') + 1, hash_text(text).substr(0, 8));
}

std::string describe_choice(const Entry& entry, const Choice& choice) {
  std::string options;
  for (const OptionSpec& spec : entry.options) {
    const std::string& value = choice.options.text(spec.name);
    if (value == spec.fallback) continue;
    options += fmt::format("{}{}={}", options.empty() ? "" : ", ", spec.name, value);
  }
  return options.empty() ? choice.name : fmt::format("{}({})", choice.name, options);
}

/// ", exponential(mean_items=140)" where `choice` is not the usual one.
static std::string describe_unusual(const Choice& choice, std::string_view usual) {
  if (choice.name == usual) return {};
  std::string options;
  for (const auto& [name, value] : choice.options) {
    options += fmt::format("{}{}={}", options.empty() ? "" : ", ", name, value);
  }
  return fmt::format(", {}({})", choice.name, options);
}

/// ", lennard_jones(atoms=55)": but for options that are as usual.
static std::string describe_walker(const Choice& walker) {
  const WalkerEntry& entry = *find_entry(standard_catalog().walkers, walker.name);
  Choice unusual{walker.name, {}};
  for (const auto& [name, value] : walker.options) {
    if (value != find_entry(entry.options, name)->fallback) unusual.options.set(name, value);
  }
  if (unusual.options.size() > 0) return describe_unusual(unusual, "");
  return walker.name == "sleep" ? "" : ", " + walker.name;
}

/// Those that a run's description words itself; the others are told where they are not as usual.
constexpr auto worded = std::to_array<std::string_view>(
    {"engine", "ranks", "group_size", "groups", "item_ms", "workload", "wants", "walkers_per_group",
     "walkers_in_all", "speedup", "jitter", "costs", "waiting", "walker", "balancer",
     "communicator", "seed", "repetition", "timeout_s"});

std::string describe_problem(const Scenario& scenario) {
  std::string text = fmt::format("{} ranks, ", scenario.ranks);
  if (scenario.groups == equal_groups) {
    text += fmt::format("G {}", scenario.group_size);
  } else {
    text += "groups " + describe_groups(scenario);
  }
  text += fmt::format(", T {:g} ms", scenario.item_ms);
  text += describe_unusual(scenario.workload, "cyclic");
  if (scenario.walkers_in_all > 0) {
    text += fmt::format(", {} walkers", scenario.walkers_in_all);
  } else if (scenario.walkers_per_group > 1) {
    text += fmt::format(", {} walkers per group", scenario.walkers_per_group);
  }
  text += describe_unusual(scenario.wants, "group_size");
  text += describe_unusual(scenario.speedup, "perfect");
  if (scenario.jitter > 0) text += fmt::format(", jitter {:g}", scenario.jitter);
  return text;
}

static std::string describe_run(const Scenario& scenario) {
  std::string text = describe_problem(scenario);
  if (!scenario.costs.name.empty() && scenario.costs.name != "free")
    text += ", costs " + scenario.costs.name;
  if (scenario.waiting != "auto") text += ", waiting " + scenario.waiting;
  text += describe_walker(scenario.walker);
  text += ", " + describe_balancer(scenario);
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies("run") || std::ranges::count(worded, parameter.spec.name) > 0) continue;
    const std::string value = text_of(parameter, scenario);
    if (value != parameter.spec.fallback)
      text += fmt::format(", {} {}", parameter.spec.name, value);
  }
  if (scenario.seed != 1) text += fmt::format(", seed {}", scenario.seed);
  return text + fmt::format(", #{}", scenario.repetition);
}

std::string describe_shared(const Scenario& measurement) {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    if (parameter.also != measurement.kind()) continue;
    const std::string value = text_of(parameter, measurement);
    if (const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member)) {
      text += ", " + describe_choice(*find_entry(parameter.list(), value), measurement.**choice);
    } else if (value != parameter.spec.fallback) {
      text += fmt::format(", {} {}", parameter.spec.name, value);
    }
  }
  return text;
}

static std::string describe_measurement(const Scenario& measurement) {
  std::string text = fmt::format("{} ranks{}", measurement.ranks, describe_shared(measurement));
  const auto& kinds = standard_catalog().measurements;
  for (const OptionSpec& spec : find_entry(kinds, measurement.measure.name)->options) {
    const std::string& value = measurement.measure.options.text(spec.name);
    if (spec.type == OptionSpec::Type::choice) {
      text += ", " + value;
    } else if (value != spec.fallback) {
      text += fmt::format(", {} {}", spec.name, value);
    }
  }
  if (measurement.waiting != "auto") text += ", waiting " + measurement.waiting;
  if (measurement.seed != 1) text += fmt::format(", seed {}", measurement.seed);
  return text + fmt::format(", #{}", measurement.repetition);
}

std::string describe(const Scenario& task) {
  return task.is_run() ? describe_run(task) : describe_measurement(task);
}

std::string left_out_note(std::size_t left_out, std::string_view noun) {
  if (left_out == 0) return {};
  return fmt::format("{} combinations are left out: each would be equal to one of these {}\n",
                     left_out, noun);
}

std::string shortened(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  // No character is cut in two: its further bytes begin with the bits 10.
  const auto continues = [&](std::size_t at) { return (text[at] & 0xC0) == 0x80; };
  std::size_t head = bytes / 2;
  std::size_t tail = text.size() - bytes / 2;
  while (head > 0 && continues(head)) --head;
  while (tail < text.size() && continues(tail)) ++tail;
  return text.substr(0, head) + " … " + text.substr(tail);
}

std::string duration(double seconds) {
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

namespace {

/// How a time is printed with three digits.
struct Digits {
  double unit;
  std::string_view name;
  int decimals;
};

Digits digits_for(double seconds) {
  constexpr std::array<std::pair<double, std::string_view>, 4> units{
      {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  const double size = std::abs(seconds);
  // What three digits round up to the next unit belongs there.
  const auto fits = [&](const auto& unit) { return size >= 0.9995 * unit.first; };
  const auto found = std::ranges::find_if(units, fits);
  const auto& [unit, name] = found == units.end() ? units.back() : *found;
  const double number = size / unit;
  return {unit, name, number < 9.995 ? 2 : number < 99.95 ? 1 : 0};
}

}  // namespace

std::string in_fitting_unit(double seconds) {
  const auto [unit, name, decimals] = digits_for(seconds);
  return fmt::format("{:.{}f} {}", seconds / unit, decimals, name);
}

std::string in_fitting_unit(double seconds, const Interval& interval) {
  const auto [unit, name, decimals] = digits_for(
      std::max({std::abs(seconds), std::abs(interval.low_s), std::abs(interval.high_s)}));
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}] {}", seconds / unit, decimals,
                     interval.low_s / unit, decimals, interval.high_s / unit, decimals, name);
}

bool holds(std::string_view description, std::string_view text) {
  const std::size_t digits = text.size() - (text.find_last_not_of("0123456789") + 1);
  const bool number = digits > 0 && digits < text.size() && text[text.size() - digits - 1] == '#';
  for (auto at = description.find(text); at != description.npos;
       at = description.find(text, at + 1)) {
    const std::string_view rest = description.substr(at + text.size());
    if (!number || rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace regroup
