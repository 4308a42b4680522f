// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/measurement_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "communicators/strategies.hpp"
#include "jobs/config.hpp"
#include "jobs/config_reader.hpp"
#include "kernel/measurement/patterns.hpp"

namespace regroup {
namespace {

constexpr OptionSpec timeout_parameter{"timeout_s",
                                       OptionSpec::Type::real,
                                       "60",
                                       0.1,
                                       1e7,
                                       "",
                                       "a measurement that takes longer is ended"};

/// Reads a configuration of measurements.
class Reader : ConfigReader {
 public:
  using ConfigReader::ConfigReader;

  Measurements read(std::string_view command);

 private:
  const MeasurementKind& kind(std::string_view command) const;
  Values option(OptionSpec spec) const;
  void check_group_sizes(int largest_ranks) const;
};

const MeasurementKind& Reader::kind(std::string_view command) const {
  const Entries kinds = entries_of(measurement_kinds());
  const ConfigNode* node = find(root(), "measure");
  if (node == nullptr) {
    fail(root(), "'measure' is missing, which says what is measured",
         fmt::format("allowed: {}; an experiment is what 'regroup run' executes", names(kinds)));
  }
  const MeasurementKind* found = find_entry(measurement_kinds(), node->text);
  if (found == nullptr) {
    fail(*node, fmt::format("unknown measure '{}'", node->text), "allowed: " + names(kinds));
  }
  if (!command.empty() && found->name != command) {
    fail(*node, fmt::format("these are measurements of {}", found->name),
         fmt::format("'regroup {} {}' makes them", found->name, path()));
  }
  return *found;
}

/// The values of one option of the kind. `all` stands for every word of a choice.
Reader::Values Reader::option(OptionSpec spec) const {
  const ConfigNode* node = find(root(), spec.name);
  if (spec.name == "group_size") spec.fallback = "0";  // some measurements need none
  if (spec.type != OptionSpec::Type::choice) return values(node, spec, root());
  const Values words = words_of(spec);
  const std::string with_all = fmt::format("{} | all", spec.choices);
  spec.choices = with_all;
  const Values chosen = values(node, spec, root());
  if (std::ranges::find(chosen, "all") == chosen.end()) return chosen;
  if (chosen.size() > 1) {
    fail(*node, fmt::format("{} holds 'all' and others", spec.name), "give 'all' alone");
  }
  return words;
}

/// A group that fits into no number of ranks is a mistake.
void Reader::check_group_sizes(int largest_ranks) const {
  const ConfigNode* node = find(root(), "group_size");
  if (node == nullptr) return;
  const bool list = node->kind == ConfigNode::Kind::list;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    if (std::stoi(item.text) <= largest_ranks) continue;
    fail(item, fmt::format("a group of {} fits into no number of ranks", item.text),
         fmt::format("allowed: up to {}", largest_ranks));
  }
}

/// Fixes the options that do not apply to `m`, so that it is measured once whatever they are.
void settle(Measurement& m) {
  Options& options = m.parameters;
  const std::string_view strategy = strategy_of(m);
  if (!strategy.empty() && !find_entry(strategies, strategy)->serves_balancers()) {
    options.set("group_size", std::to_string(m.ranks));
    if (options.has("pattern")) options.set("pattern", "one_group");
  }
  if (options.has("pattern")) {
    const int own_size = find_entry(patterns(), options.text("pattern"))->own_size(m.ranks);
    if (own_size > 0) options.set("group_size", std::to_string(own_size));
  }
  if (options.has("operation") && options.text("operation") == "barrier") {
    options.set("elements", "0");
  }
}

/// Settles all, and leaves out what does not fit, or is there already.
void settle(std::vector<Measurement>& list) {
  std::set<std::string> seen;
  std::erase_if(list, [&](Measurement& m) {
    settle(m);
    return m.parameters.integer("group_size") > m.ranks || !seen.insert(fingerprint(m)).second;
  });
}

Measurements Reader::read(std::string_view command) {
  const MeasurementKind& measured = kind(command);
  Values keys{"measure", "ranks", "waiting", "seed", "timeout_s", "repetitions"};
  keys.insert(keys.end(), configuration_keys.begin(), configuration_keys.end());
  check_keys(root(), fmt::format("measurements of {}", measured.name),
             option_names(measured, keys));

  Measurements result{configuration(), &measured, std::vector<Measurement>(1)};
  Measurement& first = result.list.front();
  first.kind = measured.name;
  first.experiment = result.name;
  first.timeout_s = std::stod(value(timeout_parameter));
  const int repetitions = std::stoi(value(repetitions_parameter));

  // The cross product, a parameter at a time; the first varies most slowly.
  const auto cross = [&](const Values& all, auto set) {
    std::vector<Measurement> product;
    for (const Measurement& m : result.list) {
      for (const std::string& text : all) set(product.emplace_back(m), text);
    }
    result.list = std::move(product);
  };
  const auto parameter = [&](std::string_view name) {
    return values(find(root(), name), *find_entry(parameters(), name), root());
  };
  Values numbers;
  for (int i = 1; i <= repetitions; ++i) numbers.push_back(std::to_string(i));
  cross(numbers, [](Measurement& m, const std::string& v) { m.repetition = std::stoi(v); });
  cross(parameter("seed"), [](Measurement& m, const std::string& v) { m.seed = std::stoull(v); });
  cross(parameter("waiting"), [](Measurement& m, const std::string& v) { m.waiting = v; });
  cross(parameter("ranks"), [](Measurement& m, const std::string& v) { m.ranks = std::stoi(v); });
  for (const OptionSpec& spec : measured.options) {
    cross(option(spec), [&](Measurement& m, const std::string& v) {
      m.parameters.set(std::string(spec.name), v);
    });
  }
  check_group_sizes(std::ranges::max_element(result.list, {}, &Measurement::ranks)->ranks);
  settle(result.list);
  const auto lacks_group_size = [](const Measurement& m) {
    return m.parameters.integer("group_size") == 0;
  };
  if (std::ranges::any_of(result.list, lacks_group_size)) {
    fail(root(), "'group_size' is missing",
         "allowed: " + allowed(*find_entry(measured.options, "group_size")));
  }
  return result;
}

}  // namespace

std::string_view strategy_of(const Measurement& m) {
  for (const std::string_view option : {"strategy", "communicator"}) {
    if (m.parameters.has(option)) return m.parameters.text(option);
  }
  return {};
}

bool is_of_measurements(const std::string& path) {
  return ConfigReader::find(read_config_file(path), "measure") != nullptr;
}

Measurements read_measurements(const std::string& path, std::string_view kind) {
  return Reader(path).read(kind);
}

}  // namespace regroup
