// SPDX-License-Identifier: BSD-3-Clause
#include "library/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernel/starting_groups.hpp"
#include "kernel/text/units.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Parameters with their own wording in descriptions. Others appear only if not at the default.
constexpr auto worded = std::to_array<std::string_view>(
    {"engine", "ranks", "group_size", "groups", "item_ms", "workload", "wants", "walkers_per_group",
     "walkers_in_all", "speedup", "jitter", "costs", "waiting", "walker", "balancer",
     "communicator", "seed", "repetition"});

/// Returns ", exponential(mean_items=140)", or nothing if the row is the usual one.
template <class Row>
std::string unless_usual(const Chosen<Row>& chosen, std::string_view usual) {
  if (chosen->name == usual) return {};
  return ", " + text_of(chosen->name, chosen.options);
}

/// Returns ", lennard_jones(atoms=55)", or nothing for walkers that sleep.
std::string describe_walker(const Chosen<WalkerEntry>& walker) {
  const std::string text = describe_row(*walker.row, walker.options);
  return text == "sleep" ? "" : ", " + text;
}

/// Returns ", waiting polite, seed 2, #1".
std::string describe_rest(const Task& task) {
  std::string text;
  if (task.waiting != "auto") text += ", waiting " + task.waiting;
  if (task.seed != 1) text += fmt::format(", seed {}", task.seed);
  return text + fmt::format(", #{}", task.repetition);
}

/// Returns ", save_every 10": parameters not in `worded` that differ from the default.
std::string describe_unusual(const Task& task) {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    const bool no_setting = parameter.column == Parameter::Column::none;
    if (no_setting || !parameter.applies_to(task)) continue;
    if (std::ranges::count(worded, parameter.spec.name) > 0) continue;
    const std::string value = parameter.text(task);
    if (value == parameter.spec.fallback) continue;
    text += fmt::format(", {} {}", parameter.spec.name, value);
  }
  return text;
}

std::string describe_run(const Task& task) {
  const Run& run = task.run();
  std::string text = describe_problem(task);
  if (run.costs && run.costs->name != "free") text += fmt::format(", costs {}", run.costs->name);
  text += describe_walker(run.walker);
  text += ", " + describe_balancer(task);
  return text + describe_unusual(task) + describe_rest(task);
}

std::string describe_measurement(const Task& task) {
  const Measurement& measurement = task.measurement();
  std::string text = fmt::format("{} ranks", task.ranks);
  if (measurement.kind->of_walkers) {
    text += fmt::format(", T {:g} ms", measurement.item_ms);
    text += describe_walker(measurement.walker);
  }
  for (const OptionSpec& spec : measurement.kind->options) {
    const std::string& value = measurement.options.text(spec.name);
    if (spec.type == OptionSpec::Type::choice) {
      text += ", " + value;
    } else if (value != spec.fallback) {
      text += fmt::format(", {} {}", spec.name, value);
    }
  }
  return text + describe_unusual(task) + describe_rest(task);
}

}  // namespace

std::string describe(const Task& task) {
  return task.is_run() ? describe_run(task) : describe_measurement(task);
}

std::string describe_balancer(const Task& task) {
  const Run& run = task.run();
  std::string text(run.balancer->name);
  std::string options;
  for (const OptionSpec& spec : run.balancer->options) {
    const std::string& value = run.balancer.options.text(spec.name);
    // As in the paper's collective(16), the first option has no name. Others appear if not default.
    const bool first = &spec == &run.balancer->options.front();
    if (!first && value == spec.fallback) continue;
    if (!options.empty()) options += ", ";
    options += first ? value : fmt::format("{}={}", spec.name, value);
  }
  if (!options.empty()) text += "(" + options + ")";
  if (run.strategy != nullptr) text += fmt::format(", {}", run.strategy->name);
  return text;
}

std::string describe_groups(const Run& run) {
  constexpr std::size_t longest = 24;
  const std::string& text = run.groups;
  if (text.size() <= longest) return text;
  return fmt::format("{} {}", std::ranges::count(text, '/') + 1, hash_text(text).substr(0, 8));
}

std::string describe_problem(const Task& task) {
  const Run& run = task.run();
  std::string text = fmt::format("{} ranks, ", task.ranks);
  if (run.equal_groups_at_start()) {
    text += fmt::format("G {}", run.group_size);
  } else {
    const bool counted = number_of_groups(run.groups).has_value();
    text += fmt::format(fmt::runtime(counted ? "{} groups" : "groups {}"), describe_groups(run));
  }
  if (!task.has_own_times() && !task.has_recorded_times())
    text += fmt::format(", T {:g} ms", run.item_ms);
  text += unless_usual(run.workload, "cyclic");
  if (run.walkers_in_all > 0) {
    text += fmt::format(", {} walkers", run.walkers_in_all);
  } else if (run.walkers_per_group > 1) {
    text += fmt::format(", {} walkers per group", run.walkers_per_group);
  }
  text += unless_usual(run.wants, "group_size");
  if (task.has_own_times()) return text;
  text += unless_usual(run.speedup, "perfect");
  if (run.jitter > 0) text += fmt::format(", jitter {:g}", run.jitter);
  return text;
}

std::string describe_row(const Entry& row, const Options& options) {
  Options unusual;
  for (const OptionSpec& spec : row.options) {
    if (!options.has(spec.name)) continue;
    const std::string& value = options.text(spec.name);
    if (value != spec.fallback) unusual.set(std::string(spec.name), value);
  }
  return text_of(row.name, unusual);
}

std::string left_out_note(std::size_t left_out, std::size_t excluded) {
  const auto note = [](std::size_t number, std::string_view why) {
    if (number == 0) return std::string();
    return fmt::format("{} {} left out: {}\n", counted(number, "combination"),
                       number == 1 ? "is" : "are", why);
  };
  return note(left_out, "equal to one of these runs") + note(excluded, "excluded");
}

}  // namespace regroup
