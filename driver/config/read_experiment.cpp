// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/read_experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "driver/config/experiment.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

using Values = ConfigReader::Values;

Values communicators(const ConfigReader& reader, const BalancerEntry& entry,
                     const ConfigNode* node) {
  if (entry.regrouping == Regrouping::never) return {""};
  const ConfigKey key = communicator_key(entry).value();
  if (node == nullptr) return {key.fallback};
  return reader.values(*node, key.name, key.allowed, [&](const std::string& value) -> std::string {
    const Strategy* strategy = find_entry(standard_catalog().strategies, value);
    if (strategy == nullptr) {
      return fmt::format("unknown communicator '{}'{}", value,
                         did_you_mean(value, standard_catalog().strategies));
    }
    return hindrance(entry, *strategy);
  });
}

Balancings balancings(const ConfigReader& reader, const ConfigNode& item) {
  const bool map = item.kind == ConfigNode::Kind::map;
  if (item.kind == ConfigNode::Kind::list || (map && item.pairs.size() != 1)) {
    reader.fail(item, "a balancer is a name, or a name with a map of its options",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const ConfigNode& name = map ? item.pairs.front().first : item;
  const ConfigNode* options = map ? &item.pairs.front().second : nullptr;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, name.text);
  if (entry == nullptr) {
    reader.fail(name,
                fmt::format("unknown balancer '{}'{}", name.text,
                            did_you_mean(name.text, standard_catalog().balancers)),
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const bool regroups = entry->regrouping != Regrouping::never;
  if (options != nullptr) {
    const Values own = regroups ? Values{"communicator"} : Values{};
    if (!regroups && entry->options.empty()) {
      reader.fail(options->pairs.empty() ? name : options->pairs.front().first,
                  fmt::format("balancer {} has no options", entry->name),
                  fmt::format("write it as '- {}'", entry->name));
    }
    reader.check_keys(*options, fmt::format("balancer {}", entry->name),
                      reader.option_names(*entry, own));
  }
  const ConfigNode* strategy = options == nullptr ? nullptr : reader.find(*options, "communicator");
  return {reader.choices(*entry, options, name), communicators(reader, *entry, strategy)};
}

}  // namespace

Joined<Balancings> read_balancings(const ConfigReader& reader) {
  const ConfigNode* node = reader.find(reader.root(), "balancers");
  if (node == nullptr)
    reader.fail(reader.root(), "'balancers' is missing",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    reader.fail(*node, "balancers must be a list that is not empty",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  Joined<Balancings> result;
  for (const ConfigNode& item : node->items) {
    Balancings more = balancings(reader, item);
    const auto shares = [&](const Balancings& other) {
      const bool strategy = std::ranges::find_first_of(other.communicators, more.communicators) !=
                            other.communicators.end();
      return strategy && overlap(other.balancers, more.balancers);
    };
    if (std::ranges::any_of(result.parts(), shares)) {
      reader.fail(
          item, fmt::format("balancer {} stands twice with the same options", more.balancers.name),
          "give it once");
    }
    result.add(std::move(more));
  }
  return result;
}

std::vector<std::string> communicators_of(const BalancerEntry& balancer) {
  if (balancer.regrouping == Regrouping::never) return {""};
  std::vector<std::string> names;
  for (const Strategy& strategy : standard_catalog().strategies) {
    if (hindrance(balancer, strategy).empty()) names.emplace_back(strategy.name);
  }
  return names;
}

std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer) {
  if (balancer.regrouping == Regrouping::never) return {};
  const bool anybody = balancer.regrouping == Regrouping::any_time;
  return ConfigKey{"communicator", fmt::format("{}", fmt::join(communicators_of(balancer), " | ")),
                   anybody ? "create_group" : "comm_split", "a communicator strategy", true};
}

namespace {

constexpr OptionSpec repetitions_key =
    integer_option("repetitions", "1", 1, 1e6, "how often each task is repeated");

/// The parameters with keys of their own, as they are nested in a sweep.
std::vector<const Parameter*> outermost_first(std::string_view kind) {
  std::vector<const Parameter*> all;
  for (const Parameter& parameter : parameters()) {
    if (parameter.applies(kind) && !parameter.key.empty()) all.push_back(&parameter);
  }
  std::ranges::stable_sort(all, std::greater(), &Parameter::nesting);
  return all;
}

/// Reads a configuration.
class ExperimentReader : ConfigReader {
 public:
  using ConfigReader::ConfigReader;

  Experiment read(std::string_view kind);

 private:
  const MeasurementKind* measured(std::string_view kind) const;
  Values all_group_sizes(const Grid<Scenario>& grid) const;
  Values option(OptionSpec spec, const Grid<Scenario>& grid) const;
  void add_hashes(const Joined<Choices>& list, const Entries& entries);
  void cross(Grid<Scenario>& grid, const Parameter& parameter, const MeasurementKind* measured);
  void cross_choices(Grid<Scenario>& grid, const Parameter& parameter);
  void cross_values(Grid<Scenario>& grid, const Parameter& parameter);
  void cross_groups(Grid<Scenario>& grid);

  std::map<std::string, std::string> hashes_;  // of the contents of the files that options name
};

/// Which measurements the configuration is of; nullptr: it is of runs. `kind` is what the caller
/// executes.
const MeasurementKind* ExperimentReader::measured(std::string_view kind) const {
  const Entries kinds = entries_of(standard_catalog().measurements);
  const ConfigNode* node = find(root(), "measure");
  if (node == nullptr && (kind.empty() || kind == "run")) return nullptr;
  if (node == nullptr) {
    fail(root(), "'measure' is missing, which says what is measured",
         fmt::format("allowed: {}; an experiment is what 'regroup run' executes", names(kinds)));
  }
  if (kind == "run") {
    fail(*node, fmt::format("this is a configuration of measurements: {}", node->text),
         fmt::format("'regroup {} {}' makes them", node->text, path()));
  }
  const MeasurementKind* found = find_entry(standard_catalog().measurements, node->text);
  if (found == nullptr) {
    fail(*node, fmt::format("unknown measure '{}'{}", node->text, did_you_mean(node->text, kinds)),
         "allowed: " + names(kinds));
  }
  if (!kind.empty() && found->name != kind) {
    fail(*node, fmt::format("these are measurements of {}", found->name),
         fmt::format("'regroup {} {}' makes them", found->name, path()));
  }
  return found;
}

/// Powers of two up to the largest of `ranks`.
ExperimentReader::Values ExperimentReader::all_group_sizes(const Grid<Scenario>& grid) const {
  int most = 0;
  const std::size_t axis = grid.axis("ranks");
  for (std::size_t value = 0; value < grid.values(axis); ++value) {
    most = std::max(most, grid.at(grid.with(0, axis, value)).ranks);
  }
  Values sizes;
  for (int size = 1; size <= most; size *= 2) sizes.push_back(std::to_string(size));
  return sizes;
}

/// The values of one option of a kind of measurement. `all` stands for every word of a choice.
ExperimentReader::Values ExperimentReader::option(OptionSpec spec,
                                                  const Grid<Scenario>& grid) const {
  const ConfigNode* node = find(root(), spec.name);
  if (spec.name == "group_size") {
    if (node != nullptr && node->text == "all") return all_group_sizes(grid);
    spec.fallback = "0";  // some measurements need none
  }
  if (spec.type != OptionSpec::Type::choice) return values(node, spec, root());
  const Values words(spec.words.begin(), spec.words.end());
  std::vector<std::string_view> with_all(spec.words.begin(), spec.words.end());
  with_all.emplace_back("all");
  spec.words = with_all;
  const Values chosen = values(node, spec, root());
  if (std::ranges::find(chosen, "all") == chosen.end()) return chosen;
  if (chosen.size() > 1) {
    fail(*node, fmt::format("{} holds 'all' and others", spec.name), "give 'all' alone");
  }
  return words;
}

/// Remembers the contents of all files that options name.
void ExperimentReader::add_hashes(const Joined<Choices>& list, const Entries& entries) {
  for (const Choices& choices : list.parts()) {
    for (const auto& [option, files] : choices.options) {
      const auto& specs = find_entry(entries, choices.name)->options;
      if (find_entry(specs, option)->type != OptionSpec::Type::file) continue;
      for (const std::string& file : files) {
        const bool fine = input_complaint(file).empty();  // if not, the checks will say so
        hashes_[file] = hash_text(fine ? read_file(file).value_or("") : "");
      }
    }
  }
}

/// Adds the axis of a parameter that is a row of a list with options.
void ExperimentReader::cross_choices(Grid<Scenario>& grid, const Parameter& parameter) {
  const Entries& entries = parameter.list();
  const Joined<Choices> list =
      kinds(find(root(), parameter.key), parameter.key, entries, parameter.spec.fallback);
  add_hashes(list, entries);
  const auto member = std::get<Choice Scenario::*>(parameter.member);
  grid.cross(parameter.key, list.size(),
             [=](Scenario& task, std::size_t i) { task.*member = list.at(i); });
}

/// Adds the axis of a parameter that has plain values.
void ExperimentReader::cross_values(Grid<Scenario>& grid, const Parameter& parameter) {
  const ConfigNode* node = find(root(), parameter.key);
  const Values all = parameter.single ? Values{value(parameter.spec)}
                     : parameter.list == nullptr
                         ? values(node, parameter.spec, root())
                         : values(node, parameter.key, parameter.list(), parameter.spec.fallback);
  grid.cross(parameter.key, all.size(),
             [all, &parameter](Scenario& task, std::size_t i) { set(parameter, task, all[i]); });
}

/// Adds the axis of the groups at the start. They decide how large the largest is.
void ExperimentReader::cross_groups(Grid<Scenario>& grid) {
  const std::vector<ToldGroups> told = told_groups(*this);
  grid.cross("groups", told.size(), [told](Scenario& run, std::size_t i) {
    run.groups = told[i].text;
    if (told[i].largest > 0) run.group_size = told[i].largest;
  });
}

void ExperimentReader::cross(Grid<Scenario>& grid, const Parameter& parameter,
                             const MeasurementKind* measured) {
  if (parameter.key == repetitions_key.name) {
    const auto number = parse<std::size_t>(value(repetitions_key)).value();
    grid.cross(parameter.key, number,
               [](Scenario& task, std::size_t i) { task.repetition = static_cast<int>(i) + 1; });
  } else if (parameter.key == "balancers") {
    const Joined<Balancings> all = read_balancings(*this);
    grid.cross(parameter.key, all.size(), [all](Scenario& run, std::size_t i) {
      std::tie(run.balancer, run.communicator) = all.at(i);
    });
  } else if (parameter.key == "measure") {
    for (const OptionSpec& spec : measured->options) {
      const Values all = option(spec, grid);
      grid.cross(spec.name, all.size(), [all, &spec](Scenario& task, std::size_t i) {
        task.measure.options.set(std::string(spec.name), all[i]);
      });
    }
  } else if (parameter.key == "groups") {
    cross_groups(grid);
  } else if (std::holds_alternative<Choice Scenario::*>(parameter.member)) {
    cross_choices(grid, parameter);
  } else {
    cross_values(grid, parameter);
  }
}

Experiment ExperimentReader::read(std::string_view kind) {
  const MeasurementKind* const measured = this->measured(kind);
  check_keys(
      root(),
      measured == nullptr ? "the configuration" : fmt::format("measurements of {}", measured->name),
      names_of(regroup::configuration_keys(measured)));
  Configuration common = configuration();
  if (measured == nullptr) common.events = value(events_key);
  common.sweep_order = value(measured == nullptr ? order_of_runs_key : sweep_order_key);
  Scenario origin;
  origin.experiment = common.name;
  if (measured != nullptr) origin.measure.name = measured->name;
  Grid<Scenario> grid(origin);
  for (const Parameter* parameter : outermost_first(origin.kind())) {
    cross(grid, *parameter, measured);
  }
  check_size(grid, measured == nullptr ? "runs" : "measurements");
  Experiment experiment(common, std::move(grid), std::move(hashes_));
  check(*this, experiment);
  experiment.enumerate();
  check_tasks(*this, experiment);
  return experiment;
}

void add(std::vector<ConfigKey>& keys, const Parameter& parameter,
         const MeasurementKind* measured) {
  const std::string key(parameter.key);
  const std::string help(parameter.spec.help);
  if (key == repetitions_key.name) {
    keys.push_back(ConfigKey::of(repetitions_key, false));
  } else if (key == "balancers") {
    keys.push_back({key,
                    "a list of names, or of names with a map of options, each a value or a list",
                    "", help});
  } else if (key == "measure") {
    keys.push_back({key, std::string(measured->name), "", help});
    for (const OptionSpec& spec : measured->options) keys.push_back(ConfigKey::of(spec));
  } else if (key == "groups") {
    keys.push_back({key, std::string(groups_allowed), std::string(equal_groups), help, true});
  } else if (parameter.list == nullptr) {
    keys.push_back(ConfigKey::of(parameter.spec, !parameter.single));
  } else {
    const bool choice = std::holds_alternative<Choice Scenario::*>(parameter.member);
    keys.push_back({key,
                    choice ? "a name, or a map of `kind`, that name, and its options"
                           : names(parameter.list()),
                    std::string(parameter.spec.fallback), help, true});
  }
}

}  // namespace

std::vector<ConfigKey> configuration_keys(const MeasurementKind* measured) {
  std::vector<ConfigKey> keys;
  const std::string_view kind = measured == nullptr ? "run" : measured->name;
  for (const Parameter& parameter : parameters()) {
    const bool has_key = parameter.applies(kind) && !parameter.key.empty();
    if (has_key) add(keys, parameter, measured);
  }
  if (measured == nullptr) keys.push_back(ConfigKey::of(events_key, false));
  keys.push_back(ConfigKey::of(measured == nullptr ? order_of_runs_key : sweep_order_key, false));
  const std::vector<ConfigKey> common = ConfigReader::configuration_keys();
  keys.insert(keys.end(), common.begin(), common.end());
  return keys;
}

std::vector<ConfigKey> keys_of_parameters() {
  std::vector<ConfigKey> keys;
  for (const Parameter& parameter : parameters()) {
    const bool plain = parameter.list == nullptr && parameter.key == parameter.spec.name;
    if (plain && parameter.applies("run")) keys.push_back(ConfigKey::of(parameter.spec));
  }
  return keys;
}

Experiment read_experiment(const ConfigSource& source, std::string_view kind) {
  return ExperimentReader(source).read(kind);
}

}  // namespace regroup
