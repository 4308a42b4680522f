// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "communicators/named/walker_groups.hpp"
#include "driver/config/checks.hpp"
#include "driver/config/exclusion.hpp"
#include "driver/config/experiment.hpp"
#include "driver/config/fault_plans.hpp"
#include "driver/config/zip.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

using Values = ConfigReader::Values;

constexpr OptionSpec repetitions_key =
    integer_option("repetitions", "1", 1, 1e6, "number of repetitions of each task");

constexpr OptionSpec at_least_key = integer_option("at_least", "3", 1, 1e6, "");
constexpr OptionSpec at_most_key = integer_option("at_most", "", fewest_samples, 1e6, "");

/// Describes the allowed values of the key `groups`.
constexpr std::string_view groups_allowed =
    "equal | number of groups | ranks as in 0-4/5-7 | path of a file of communicators | "
    "the content of such a file";

/// A value of the key `groups`.
struct NamedGroups {
  std::string text{equal_groups};  ///< Run::groups
  int largest = 0;                 ///< ranks of the largest group; 0: depends on other keys
  int number = 0;                  ///< of groups; 0: depends on other values
  friend bool operator==(const NamedGroups&, const NamedGroups&) = default;
};

NamedGroups named(const StartingGroups& groups) { return {text_of(groups), groups.largest(), 0}; }

/// Returns whether `text` lists the ranks of groups, as in results: "0-7/8-9 12/10-11".
bool are_ranks(const std::string& text) {
  return text.find_first_not_of("0123456789-/ ") == text.npos && text.find('/') != 0;
}

/// Reads the groups that `node`, or the file that it names, defines.
NamedGroups groups_in(const ConfigNode& node, const ConfigReader& reader) {
  const bool inside = node.kind == ConfigNode::Kind::map;
  if (node.kind == ConfigNode::Kind::list || (!inside && node.text.empty())) {
    reader.fail(node, "groups must not be empty", fmt::format("allowed: {}", groups_allowed));
  }
  if (!inside && node.text == equal_groups) return {};
  if (inside) return named(walker_groups(Definitions::of(node, reader.path()), largest_world));
  if (const auto number = number_of_groups(node.text)) {
    return {std::to_string(*number), 0, *number};
  }
  try {
    if (are_ranks(node.text)) return named(StartingGroups::from(node.text));
    const std::string file = reader.beside_configuration(node.text);
    return named(walker_groups(Definitions::read(file), largest_world));
  } catch (const std::exception& error) {
    reader.fail(node, error.what(), "give a file of walker groups, or groups by rank: 0-4/5-7");
  }
}

/// Reads all values of the key `groups`. Throws UserError if they are not valid groups, or if
/// group_size is given but has no effect.
std::vector<NamedGroups> all_groups(const ConfigReader& reader) {
  const ConfigNode* node = reader.find("groups");
  if (node == nullptr) return {NamedGroups()};
  const bool list = node->kind == ConfigNode::Kind::list;
  std::vector<NamedGroups> all;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    NamedGroups groups = groups_in(item, reader);
    if (std::ranges::find(all, groups) != all.end()) {
      reader.fail(item, "these groups are given twice", "give them once");
    }
    all.push_back(std::move(groups));
  }
  if (all.empty()) {
    reader.fail(*node, "groups is an empty list", fmt::format("allowed: {}", groups_allowed));
  }
  const ConfigNode* size = reader.find("group_size");
  if (size != nullptr && std::ranges::find(all, NamedGroups()) == all.end()) {
    reader.fail(
        *size,
        fmt::format("group_size has no effect, because line {} defines the groups", node->line),
        "give one of them");
  }
  return all;
}

/// Returns the positions of `values` values in the list `node`; none if `node` is nullptr.
std::vector<std::vector<Listed>> places_in(const ConfigNode* node, std::string_view name,
                                           std::size_t values) {
  std::vector<std::vector<Listed>> all(values);
  if (node == nullptr) return all;
  for (std::size_t i = 0; i < values; ++i) {
    all[i].push_back({std::string(name), i, values, node->line});
  }
  return all;
}

/// Returns the parameters with keys of their own, in the order in which a sweep nests them.
std::vector<const Parameter*> outermost_first(const MeasurementKind* measured) {
  std::vector<const Parameter*> all;
  for (const Parameter& parameter : parameters()) {
    if (parameter.applies_to(measured) && !parameter.key.empty()) all.push_back(&parameter);
  }
  std::ranges::stable_sort(all, std::greater(), &Parameter::nesting);
  return all;
}

class ExperimentReader : ConfigReader {
 public:
  ExperimentReader(const ConfigSource& source, const Catalog& catalog)
      : ConfigReader(source), catalog_(catalog), measured_(measured()) {}

  Experiment read();

 private:
  struct Balancing {
    Combination balancer;  // `listed` includes the communicator strategy
    std::string strategy;
  };
  struct Listing {  // the values of a parameter
    Values texts;
    std::vector<std::vector<Listed>> listed;  // of each value
  };

  const MeasurementKind* measured() const;
  Task origin() const;
  std::string balancer_names() const { return names(entries_of(catalog_.balancers)); }
  Values communicators(const BalancerEntry& entry, const ConfigNode* node) const;
  std::vector<Balancing> balancings(const ConfigNode& item) const;
  std::vector<Balancing> all_balancings() const;
  Values all_group_sizes() const;
  Values option(OptionSpec spec) const;
  Listing values_of(const Parameter& parameter) const;
  void add_axis(std::string_view key, std::vector<std::vector<Listed>> listed, Grid::Set set);
  Repetitions repetitions() const;
  void cross(const Parameter& parameter);
  void cross_values(const Parameter& parameter, const Listing& all);
  void cross_balancings();
  void cross_groups();
  std::function<void(Task&)> group_size_setter() const;
  void cross_options();
  std::vector<Exclusion> exclusions() const;

  const Catalog& catalog_;
  const MeasurementKind* measured_;
  std::vector<SweepAxis> axes_;
  std::vector<NamedGroups> groups_;
};

/// Returns the kind of measurement of the configuration; nullptr for runs.
const MeasurementKind* ExperimentReader::measured() const {
  const ConfigNode* node = find("measure");
  if (node == nullptr) return nullptr;
  const MeasurementKind* found = find_entry(catalog_.measurements, node->text);
  if (found != nullptr) return found;
  const Entries kinds = entries_of(catalog_.measurements);
  fail(*node, fmt::format("unknown measure '{}'{}", node->text, did_you_mean(node->text, kinds)),
       "allowed: " + names(kinds));
}

Task ExperimentReader::origin() const {
  Task task = usual_task(catalog_, measured_);
  task.experiment = configuration().name;
  return task;
}

// ---- balancers

Values ExperimentReader::communicators(const BalancerEntry& entry, const ConfigNode* node) const {
  if (entry.regrouping == Regrouping::never) return {""};
  const ConfigKey key = communicator_key(entry, catalog_).value();
  if (node == nullptr) return {key.fallback};
  return values(*node, key.name, key.allowed, [&](const std::string& value) -> std::string {
    const Strategy* strategy = find_entry(catalog_.strategies, value);
    if (strategy == nullptr) {
      return fmt::format("unknown communicator '{}'{}", value,
                         did_you_mean(value, catalog_.strategies));
    }
    return hindrance(entry, *strategy);
  });
}

std::vector<ExperimentReader::Balancing> ExperimentReader::balancings(
    const ConfigNode& item) const {
  const bool map = item.kind == ConfigNode::Kind::map;
  if (item.kind == ConfigNode::Kind::list || (map && item.pairs.size() != 1)) {
    fail(item, "a balancer is a name, or a name with a map of its options",
         "allowed: " + balancer_names());
  }
  const ConfigNode& name = map ? item.pairs.front().first : item;
  const ConfigNode* options = map ? &item.pairs.front().second : nullptr;
  const BalancerEntry* entry = find_entry(catalog_.balancers, name.text);
  if (entry == nullptr) {
    fail(name,
         fmt::format("unknown balancer '{}'{}", name.text,
                     did_you_mean(name.text, catalog_.balancers)),
         "allowed: " + balancer_names());
  }
  const bool regroups = entry->regrouping != Regrouping::never;
  if (options != nullptr) {
    if (!regroups && entry->options.empty()) {
      fail(options->pairs.empty() ? name : options->pairs.front().first,
           fmt::format("balancer {} has no options", entry->name),
           fmt::format("write it as '- {}'", entry->name));
    }
    check_keys(*options, fmt::format("balancer {}", entry->name),
               option_names(*entry, regroups ? Values{"communicator"} : Values{}));
  }
  std::vector<Balancing> all;
  const Values strategies =
      communicators(*entry, options == nullptr ? nullptr : find(*options, "communicator"));
  const ConfigNode* listed = options == nullptr ? nullptr : find(*options, "communicator");
  const auto places = places_in(listed, "communicator", strategies.size());
  for (const Combination& balancer : combinations(*entry, options, name)) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      Balancing& one = all.emplace_back(Balancing{balancer, strategies[i]});
      one.balancer.listed.insert(one.balancer.listed.end(), places[i].begin(), places[i].end());
    }
  }
  return all;
}

std::vector<ExperimentReader::Balancing> ExperimentReader::all_balancings() const {
  const ConfigNode* node = find("balancers");
  if (node == nullptr) fail("balancers", "'balancers' is missing", "allowed: " + balancer_names());
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    fail(*node, "balancers must be a non-empty list", "allowed: " + balancer_names());
  }
  std::vector<Balancing> all;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const ConfigNode& item = node->items[i];
    for (Balancing& balancing : balancings(item)) {
      const Choice& choice = balancing.balancer.choice;
      const bool twice = std::ranges::any_of(all, [&](const Balancing& other) {
        return other.balancer.choice == choice && other.strategy == balancing.strategy;
      });
      if (twice) {
        fail(item, fmt::format("balancer {} is given twice with the same options", choice.name),
             "give it once");
      }
      balancing.balancer.listed.push_back({"balancers", i, node->items.size(), node->line});
      all.push_back(std::move(balancing));
    }
  }
  return all;
}

void ExperimentReader::cross_balancings() {
  std::vector<Run> runs;
  std::vector<std::vector<Listed>> listed;
  for (const auto& [balancer, strategy] : all_balancings()) {
    const std::string text = text_of(balancer.choice.name, balancer.choice.options);
    runs.push_back(run_of(catalog_, {{"balancer", text}, {"communicator", strategy}}).run());
    listed.push_back(balancer.listed);
  }
  add_axis("balancers", std::move(listed), [runs = std::move(runs)](Task& task, std::size_t i) {
    task.run().balancer = runs[i].balancer;
    task.run().strategy = runs[i].strategy;
  });
}

// ---- options of measurements

/// Returns the powers of two up to the largest value of `ranks`.
Values ExperimentReader::all_group_sizes() const {
  int most = 0;
  const auto axis = std::ranges::find(axes_, Values{"ranks"}, &SweepAxis::keys);
  for (std::size_t value = 0; value < axis->values.size(); ++value) {
    Task task;
    axis->set(task, value);
    most = std::max(most, task.ranks);
  }
  Values sizes;
  for (int size = 1; size <= most; size *= 2) sizes.push_back(std::to_string(size));
  return sizes;
}

/// Returns the values of an option of a kind of measurement. `all` selects all words of a choice.
Values ExperimentReader::option(OptionSpec spec) const {
  const ConfigNode* node = find(spec.name);
  if (spec.name == "group_size") {
    if (node != nullptr && node->text == "all") return all_group_sizes();
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
    fail(*node, fmt::format("{} contains 'all' and other values", spec.name), "give 'all' alone");
  }
  return words;
}

void ExperimentReader::cross_options() {
  for (const OptionSpec& spec : measured_->options) {
    const Values all = option(spec);
    add_axis(spec.name, places_in(find(spec.name), spec.name, all.size()),
             [this_catalog = &catalog_, all, &spec](Task& task, auto i) {
               set_option(task.measurement(), std::string(spec.name), all[i], *this_catalog);
             });
  }
}

// ---- parameters

/// Returns the values of a parameter, in the form that Parameter::set reads.
ExperimentReader::Listing ExperimentReader::values_of(const Parameter& parameter) const {
  const ConfigNode* node = find(parameter.key);
  const auto plain = [&](const Values& texts) {
    return Listing{texts, places_in(node, parameter.key, texts.size())};
  };
  if (parameter.spec.type == OptionSpec::Type::faults) return plain(fault_plans(*this));
  if (parameter.single) return plain({value(parameter.spec)});
  if (parameter.list == nullptr) return plain(values(node, parameter.spec, root()));
  if (node == nullptr && parameter.may_be_empty && parameter.spec.fallback.empty()) {
    return plain({""});
  }
  const Entries rows = parameter.list(catalog_);
  if (!parameter.has_options) {
    return plain(values(node, parameter.key, rows, parameter.spec.fallback));
  }
  Listing all;
  for (const Combination& one : kinds(node, parameter.key, rows, parameter.spec.fallback)) {
    all.texts.push_back(text_of(one.choice.name, one.choice.options));
    all.listed.push_back(one.listed);
  }
  return all;
}

void ExperimentReader::add_axis(std::string_view key, std::vector<std::vector<Listed>> listed,
                                Grid::Set set) {
  SweepAxis axis{{std::string(key)}, {}, std::move(set)};
  for (auto& places : listed) axis.values.push_back({std::move(places)});
  axes_.push_back(std::move(axis));
}

void ExperimentReader::cross_values(const Parameter& parameter, const Listing& all) {
  std::vector<Task> tasks;  // one for each value
  for (const std::string& text : all.texts) {
    parameter.set(tasks.emplace_back(usual_task(catalog_, measured_)), text, catalog_);
  }
  add_axis(parameter.key, all.listed, [tasks = std::move(tasks), &parameter](Task& task, auto i) {
    parameter.copy(task, tasks[i]);
  });
}

void ExperimentReader::cross_groups() {
  groups_ = all_groups(*this);
  add_axis("groups", places_in(find("groups"), "groups", groups_.size()),
           [all = groups_](Task& task, std::size_t i) { task.run().groups = all[i].text; });
}

/// Returns a function that sets group_size to the size of the largest of the initial groups.
std::function<void(Task&)> ExperimentReader::group_size_setter() const {
  return [all = groups_](Task& task) {
    if (!task.is_run() || task.run().equal_groups_at_start()) return;
    Run& run = task.run();
    const auto groups = std::ranges::find(all, run.groups, &NamedGroups::text);
    run.group_size = groups->number > 0 ? (task.ranks - 1) / groups->number + 1 : groups->largest;
  };
}

/// Reads the key `repetitions`: a number, or a rule.
Repetitions ExperimentReader::repetitions() const {
  const ConfigNode* node = find(repetitions_key.name);
  if (node == nullptr || node->kind != ConfigNode::Kind::map) {
    const int number = parse<int>(value(repetitions_key)).value();
    return {number, number, 0};
  }
  if (measured_ != nullptr) {
    fail(*node, "measurements have no makespan, so 'until' is not possible",
         "allowed: " + allowed(repetitions_key));
  }
  check_keys(*node, "repetitions", {"at_least", "at_most", "until"});
  const auto number = [&](const OptionSpec& spec) {
    const ConfigNode* one = find(*node, spec.name);
    const Values all = values(one, spec, *node);
    if (all.size() > 1) fail(*one, fmt::format("{} is a list", spec.name), "give one number");
    return parse<int>(all.front()).value();
  };
  const ConfigNode* until = find(*node, "until");
  const auto share = percentage(until == nullptr ? "" : until->text);
  if (!share) {
    fail(until == nullptr ? *node : *until,
         until == nullptr ? "'until' is missing"
                          : fmt::format("'{}' is not a valid value of until", until->text),
         "allowed: from 0.01% to 100%, half the width of the 95 % interval of the median makespan");
  }
  const Repetitions rule{number(at_least_key), number(at_most_key), *share};
  if (rule.at_least > rule.at_most) {
    fail(*node, fmt::format("at_least {} is more than at_most {}", rule.at_least, rule.at_most),
         "give at_least up to at_most");
  }
  return rule;
}

void ExperimentReader::cross(const Parameter& parameter) {
  if (parameter.key == repetitions_key.name) {
    const auto number = static_cast<std::size_t>(repetitions().at_most);
    add_axis(parameter.key, places_in(nullptr, parameter.key, number),
             [](Task& task, std::size_t i) { task.repetition = static_cast<int>(i) + 1; });
  } else if (parameter.key == "balancers") {
    cross_balancings();
  } else if (parameter.key == "groups") {
    cross_groups();
  } else {
    cross_values(parameter, values_of(parameter));
  }
}

/// Reads the items of the key `exclude`.
std::vector<Exclusion> ExperimentReader::exclusions() const {
  std::vector<Exclusion> all;
  const ConfigNode* node = find("exclude");
  if (node == nullptr) return all;
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    fail(*node, "exclude must be a non-empty list of maps",
         "as in exclude: [{ranks: 512, balancer: none}]");
  }
  for (const ConfigNode& item : node->items) {
    all.push_back(Exclusion(*this, item, catalog_, measured_));
  }
  return all;
}

Experiment ExperimentReader::read() {
  const std::string_view noun = measured_ == nullptr ? "runs" : "measurements";
  check_keys(root(),
             measured_ == nullptr ? "the configuration"
                                  : fmt::format("measurements of {}", measured_->name),
             names_of(regroup::configuration_keys(catalog_, measured_)));
  Configuration common = configuration();
  if (measured_ == nullptr) common.events = value(events_key);
  common.repetitions = repetitions();
  common.has_item_ms = find("item_ms") != nullptr;
  common.sweep_order = value(measured_ == nullptr ? order_of_runs_key : order_of_measurements_key);
  for (const Parameter* parameter : outermost_first(measured_)) cross(*parameter);
  if (measured_ != nullptr) cross_options();
  Grid grid(origin(), group_size_setter());
  for (SweepAxis& axis : zipped(*this, std::move(axes_))) {
    grid.cross(std::move(axis.keys), axis.values.size(), std::move(axis.set));
  }
  if (grid.size() > most_combinations) {
    fail(root(), grid.describe_size(noun), fmt::format("allowed: at most {}", most_combinations));
  }
  Experiment experiment(catalog_, common, std::move(grid), exclusions());
  check_combinations(*this, experiment);
  if (const auto vain = experiment.enumerate()) {
    fail(find("exclude")->items[*vain], "this item of exclude matches no combination",
         "give values that occur together, or remove the item");
  }
  if (experiment.size() == 0) {
    fail("exclude", fmt::format("exclude leaves no {}", noun), "exclude fewer of them");
  }
  check_tasks(*this, experiment);
  return experiment;
}

ConfigKey key_of(const Parameter& parameter, const Catalog& catalog) {
  const std::string key(parameter.key);
  const std::string help(parameter.spec.help);
  if (key == repetitions_key.name) {
    ConfigKey repeated = ConfigKey::of(repetitions_key, false);
    repeated.allowed += ", or for runs {at_least: 3, at_most: 30, until: 2%}";
    repeated.help +=
        ". With `until`, they end when the median makespan is known to within ± this percentage "
        "(95 % confidence interval).";
    return repeated;
  }
  if (key == "balancers") {
    return {key, "a list of names, each with or without a map of options; an option may be a list",
            "", help};
  }
  if (key == "groups") {
    return {key, std::string(groups_allowed), std::string(equal_groups), help, true};
  }
  if (key == "faults") return {key, std::string(faults_allowed), "none", help, true};
  if (parameter.list == nullptr) return ConfigKey::of(parameter.spec, !parameter.single);
  return {key,
          parameter.has_options ? "a name, or a map with the name as `kind` and its options"
                                : names(parameter.list(catalog)),
          key == "true_speedup" ? "the same as `speedup`" : std::string(parameter.spec.fallback),
          help, true};
}

}  // namespace

std::vector<std::string> communicators_of(const BalancerEntry& balancer, const Catalog& catalog) {
  if (balancer.regrouping == Regrouping::never) return {""};
  std::vector<std::string> names;
  for (const Strategy& strategy : catalog.strategies) {
    if (hindrance(balancer, strategy).empty()) names.emplace_back(strategy.name);
  }
  return names;
}

std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer, const Catalog& catalog) {
  if (balancer.regrouping == Regrouping::never) return {};
  const bool anybody = balancer.regrouping == Regrouping::any_time;
  return ConfigKey{"communicator",
                   fmt::format("{}", fmt::join(communicators_of(balancer, catalog), " | ")),
                   anybody ? "create_group" : "comm_split", "communicator strategy", true};
}

std::vector<ConfigKey> configuration_keys(const Catalog& catalog, const MeasurementKind* measured) {
  std::vector<ConfigKey> keys;
  if (measured != nullptr) {
    keys.push_back({"measure", std::string(measured->name), "", "kind of measurement"});
    for (const OptionSpec& spec : measured->options) keys.push_back(ConfigKey::of(spec));
  }
  for (const Parameter& parameter : parameters()) {
    const bool has_key = parameter.applies_to(measured) && !parameter.key.empty();
    if (has_key) keys.push_back(key_of(parameter, catalog));
  }
  keys.push_back(zip_key());
  keys.push_back(exclude_key());
  if (measured == nullptr) keys.push_back(ConfigKey::of(events_key, false));
  keys.push_back(
      ConfigKey::of(measured == nullptr ? order_of_runs_key : order_of_measurements_key, false));
  const std::vector<ConfigKey> common = ConfigReader::configuration_keys();
  keys.insert(keys.end(), common.begin(), common.end());
  return keys;
}

Experiment read_experiment(const ConfigSource& source, const Catalog& catalog) {
  return ExperimentReader(source, catalog).read();
}

}  // namespace regroup
