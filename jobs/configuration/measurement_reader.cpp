// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/measurement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "communicators/strategies.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/numbers/hash.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr OptionSpec timeout_parameter =
    real_option("timeout_s", "60", 0.1, 1e7, "a measurement that takes longer is ended");

/// Reads a configuration of measurements.
class Reader : ConfigReader {
 public:
  using ConfigReader::ConfigReader;

  Measurements read(std::string_view command);

 private:
  const MeasurementKind& kind(std::string_view command) const;
  Values option(OptionSpec spec) const;
  void check_group_sizes() const;
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

/// A group that fits into no number of ranks is a mistake.
void Reader::check_group_sizes() const {
  const ConfigNode* node = find(root(), "group_size");
  if (node == nullptr) return;
  int largest_ranks = 0;
  for (const std::string& ranks :
       values(find(root(), "ranks"), *find_entry(parameters(), "ranks"), root())) {
    largest_ranks = std::max(largest_ranks, parse<int>(ranks).value());
  }
  const bool list = node->kind == ConfigNode::Kind::list;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    if (parse<int>(item.text).value() <= largest_ranks) continue;
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

/// Names what is measured: settled measurements have it in common exactly where they are the same.
std::uint64_t number_of(const Measurement& m) {
  std::string key = fmt::format("{} {} {} {}", m.repetition, m.seed, m.waiting, m.ranks);
  for (const auto& [name, value] : m.parameters) key += ' ' + value;
  return hash_number(key);
}

Measurements Reader::read(std::string_view command) {
  const MeasurementKind& measured = kind(command);
  check_keys(root(), fmt::format("measurements of {}", measured.name),
             names_of(measurement_keys(measured)));

  const Configuration common = configuration();
  Measurement origin;
  origin.kind = measured.name;
  origin.experiment = common.name;
  origin.timeout_s = parse<double>(value(timeout_parameter)).value();

  Grid<Measurement> grid(origin);
  using Text = const std::string&;
  const auto cross = [&](std::string_view name, const Values& all, auto set) {
    grid.cross(name, all.size(), [all, set](Measurement& m, std::size_t i) { set(m, all[i]); });
  };
  const auto parameter = [&](std::string_view name, auto set) {
    cross(name, values(find(root(), name), *find_entry(parameters(), name), root()), set);
  };
  grid.cross("repetitions", parse<std::size_t>(value(repetitions_parameter)).value(),
             [](Measurement& m, std::size_t i) { m.repetition = static_cast<int>(i) + 1; });
  parameter("seed", [](Measurement& m, Text v) { m.seed = parse<std::uint64_t>(v).value(); });
  parameter("waiting", [](Measurement& m, Text v) { m.waiting = v; });
  parameter("ranks", [](Measurement& m, Text v) { m.ranks = parse<int>(v).value(); });
  for (const OptionSpec& spec : measured.options) {
    cross(spec.name, option(spec),
          [name = std::string(spec.name)](Measurement& m, Text v) { m.parameters.set(name, v); });
  }
  check_size(grid, "measurements");
  check_group_sizes();
  Measurements result(common, measured, std::move(grid));
  const bool group_size = find(root(), "group_size") != nullptr;
  for (std::size_t i = 0; i < result.size() && !group_size; ++i) {
    if (result.at(i).parameters.integer("group_size") != 0) continue;
    fail(root(), "'group_size' is missing",
         "allowed: " + allowed(*find_entry(measured.options, "group_size")));
  }
  return result;
}

}  // namespace

Measurements::Measurements(Configuration configuration, const MeasurementKind& kind,
                           Grid<Measurement> grid)
    : Configuration(std::move(configuration)), kind_(&kind), grid_(std::move(grid)) {
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    Measurement m = grid_.at(i);
    settle(m);
    if (m.parameters.integer("group_size") > m.ranks) continue;
    if (seen.insert(number_of(m)).second) kept_.push_back(static_cast<std::uint32_t>(i));
  }
}

Measurement Measurements::at(std::size_t place) const {
  Measurement m = grid_.at(kept_[place]);
  settle(m);
  return m;
}

std::string_view strategy_of(const Measurement& m) {
  for (const std::string_view option : {"strategy", "communicator"}) {
    if (m.parameters.has(option)) return m.parameters.text(option);
  }
  return {};
}

std::vector<ConfigKey> measurement_keys(const MeasurementKind& kind) {
  const auto parameter = [](std::string_view name) {
    return ConfigKey::of(*find_entry(parameters(), name));
  };
  const std::string name(kind.name);
  std::vector<ConfigKey> keys{{"measure", name, "", "what is measured"}, parameter("ranks")};
  for (const OptionSpec& spec : kind.options) keys.push_back(ConfigKey::of(spec));
  const std::vector<ConfigKey> others{ConfigKey::of(repetitions_parameter, false),
                                      parameter("seed"), parameter("waiting"),
                                      ConfigKey::of(timeout_parameter, false)};
  keys.insert(keys.end(), others.begin(), others.end());
  const std::vector<ConfigKey> common = ConfigReader::configuration_keys();
  keys.insert(keys.end(), common.begin(), common.end());
  return keys;
}

bool is_of_measurements(const ConfigSource& source) {
  return ConfigReader::find(read_config_file(source), "measure") != nullptr;
}

Measurements read_measurements(const ConfigSource& source, std::string_view kind) {
  return Reader(source).read(kind);
}

}  // namespace regroup
