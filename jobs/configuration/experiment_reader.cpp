// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/experiment_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "communicators/strategies.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/experiment_checks.hpp"
#include "kernel/files/files.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/items/walker.hpp"
#include "kernel/numbers/hash.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

constexpr std::array engine_entries{
    EngineEntry{{"mpi", "real MPI processes, wall clock", {}}, "wall", largest_world},
    EngineEntry{{"virtual", "the same balancers driven by events in virtual time, no MPI", {}},
                "virtual",
                largest_world},
    EngineEntry{{"simgrid",
                 "the MPI program on SimGrid: all ranks in one process, virtual time; what SimGrid "
                 "lacks becomes rows with status unsupported",
                 {}},
                "simgrid",
                1 << 16},  // each rank's stack is a mapping, of which Linux allows so many
};

constexpr std::array<std::string_view, 4> waiting_words{"auto", "wrapper", "polite", "direct"};
constexpr std::array parameter_specs{
    integer_option("ranks", "", 1, largest_world, "processes of the world communicator"),
    integer_option("group_size", "4", 1, largest_world,
                   "G: ranks of a walker group at the start; the last group may be smaller"),
    real_option(
        "item_ms", "100", 1e-6, 1e9,
        "T: what one rank takes for one item, in milliseconds; a group of g takes T / g with "
        "perfect speed-up"),
    real_option("jitter", "0", 0, 10, "standard deviation of an item's time, relative to its mean"),
    integer_option("seed", "1", 0, 1e15, "of all random numbers"),
    real_option("timeout_s", "120", 0.1, 1e7, "a run that takes longer is ended"),
    choice_option(
        "waiting", "auto", waiting_words,
        "how ranks wait: naps inside MPI too (wrapper), in our own code only (polite), not "
        "at all (direct); auto naps where ranks outnumber cores"),
};

/// Reads the configuration of an experiment.
class Reader : ConfigReader {
 public:
  using ConfigReader::ConfigReader;

  Experiment read();

 private:
  Balancings balancings(const ConfigNode& item) const;
  Values communicators(const BalancerEntry& entry, const ConfigNode* node) const;
  Joined<Balancings> all_balancings() const;
  ExperimentLists lists() const;
  static void add_hashes(ExperimentLists& lists);
};

Balancings Reader::balancings(const ConfigNode& item) const {
  const bool map = item.kind == ConfigNode::Kind::map;
  if (item.kind == ConfigNode::Kind::list || (map && item.pairs.size() != 1)) {
    fail(item, "a balancer is a name, or a name with a map of its options",
         "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const ConfigNode& name = map ? item.pairs.front().first : item;
  const ConfigNode* options = map ? &item.pairs.front().second : nullptr;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, name.text);
  if (entry == nullptr) {
    fail(name, fmt::format("unknown balancer '{}'", name.text),
         "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const bool regroups = entry->regrouping != Regrouping::never;
  if (options != nullptr) {
    const Values own = regroups ? Values{"communicator"} : Values{};
    if (!regroups && entry->options.empty()) {
      fail(options->pairs.empty() ? name : options->pairs.front().first,
           fmt::format("balancer {} has no options", entry->name),
           fmt::format("write it as '- {}'", entry->name));
    }
    check_keys(*options, fmt::format("balancer {}", entry->name), option_names(*entry, own));
  }
  const ConfigNode* strategy = options == nullptr ? nullptr : find(*options, "communicator");
  return {choices(*entry, options, name), communicators(*entry, strategy)};
}

Reader::Values Reader::communicators(const BalancerEntry& entry, const ConfigNode* node) const {
  if (entry.regrouping == Regrouping::never) return {""};
  const bool anybody = entry.regrouping == Regrouping::any_time;
  const ConfigKey key = communicator_key(entry).value();
  if (node == nullptr) return {key.fallback};
  return values(*node, key.name, key.allowed, [&](const std::string& value) -> std::string {
    const Strategy* strategy = find_entry(strategies, value);
    if (strategy == nullptr) return fmt::format("unknown communicator '{}'", value);
    if (!strategy->serves_balancers()) {
      return fmt::format("{} cannot form the groups of a balancer", value);
    }
    if (!anybody || strategy->caller == Caller::group) return {};
    return fmt::format(
        "{} over {} would deadlock: every rank must enter {}, but {} regroups two "
        "groups while the others work",
        entry.name, value, value, entry.name);
  });
}

Joined<Balancings> Reader::all_balancings() const {
  const ConfigNode* node = find(root(), "balancers");
  if (node == nullptr)
    fail(root(), "'balancers' is missing",
         "allowed: " + names(entries_of(standard_catalog().balancers)));
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    fail(*node, "balancers must be a list that is not empty",
         "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  Joined<Balancings> result;
  for (const ConfigNode& item : node->items) {
    Balancings more = balancings(item);
    const auto shares = [&](const Balancings& other) {
      const bool strategy = std::ranges::find_first_of(other.communicators, more.communicators) !=
                            other.communicators.end();
      return strategy && overlap(other.balancers, more.balancers);
    };
    if (std::ranges::any_of(result.parts(), shares)) {
      fail(item, fmt::format("balancer {} stands twice with the same options", more.balancers.name),
           "give it once");
    }
    result.add(std::move(more));
  }
  return result;
}

ExperimentLists Reader::lists() const {
  const auto parameter = [&](std::string_view name) {
    return values(find(root(), name), *find_entry(parameter_specs, name), root());
  };
  const std::vector<ConfigKey> keys = experiment_keys();
  const auto kind = [&](std::string_view name, const auto& list) {
    return kinds(find(root(), name), name, entries_of(list), find_entry(keys, name)->fallback);
  };
  const auto name = [&](std::string_view of, const auto& list) {
    return values(find(root(), of), of, entries_of(list), find_entry(keys, of)->fallback);
  };
  ExperimentLists lists;
  lists.repetitions = parse<std::size_t>(value(repetitions_parameter)).value();
  lists.workloads = kind("workload", standard_catalog().workloads);
  lists.speedups = kind("speedup", standard_catalog().speedups);
  lists.costs = kind("costs", standard_catalog().costs);
  lists.balancings = all_balancings();
  lists.engines = name("engine", engines());
  lists.walkers = name("walker", standard_catalog().walkers);
  lists.seeds = parameter("seed");
  lists.waitings = parameter("waiting");
  lists.timeouts_s = parameter("timeout_s");
  lists.jitters = parameter("jitter");
  lists.items_ms = parameter("item_ms");
  lists.group_sizes = parameter("group_size");
  lists.ranks = parameter("ranks");
  add_hashes(lists);
  return lists;
}

/// Of the contents of all files that options name.
void Reader::add_hashes(ExperimentLists& lists) {
  for (const Joined<Choices>* list : {&lists.workloads, &lists.costs}) {
    for (const Choices& choices : list->parts()) {
      for (const auto& [option, files] : choices.options) {
        if (option != "file" && option != "costs_file" && option != "steps_file") continue;
        for (const std::string& file : files) {
          const bool fine = input_complaint(file).empty();  // if not, the checks will say so
          lists.hashes[file] = hash_text(fine ? read_file(file).value_or("") : "");
        }
      }
    }
  }
}

Experiment Reader::read() {
  if (const ConfigNode* measure = find(root(), "measure")) {
    fail(*measure, fmt::format("this is a configuration of measurements: {}", measure->text),
         fmt::format("'regroup {} {}' makes them", measure->text, path()));
  }
  check_keys(root(), "the configuration", names_of(experiment_keys()));

  Experiment experiment(configuration(), lists());
  check_size(experiment.grid(), "runs");
  check(*this, experiment);
  experiment.enumerate();
  return experiment;
}

}  // namespace

std::span<const EngineEntry> engines() { return engine_entries; }
std::span<const OptionSpec> parameters() { return parameter_specs; }

std::vector<ConfigKey> experiment_keys() {
  const auto kind = [](std::string_view noun) {
    return fmt::format("the name of a {0}, or a map of `kind`, that name, and its options", noun);
  };
  std::vector<ConfigKey> keys{{"engine", names(entries_of(engines())), "mpi",
                               "what carries out the decisions of a balancer", true}};
  for (const OptionSpec& spec : parameter_specs) keys.push_back(ConfigKey::of(spec));
  const std::vector<ConfigKey> others{
      {"workload", kind("workload"), "cyclic", "how many items each walker has", true},
      {"speedup", kind("speed-up model"), "perfect", "what an item takes in a larger group", true},
      {"costs", kind("cost model"), "free", "what communication takes in virtual time", true},
      {"walker", names(entries_of(standard_catalog().walkers)), "sleep",
       "how a process spends an item", true},
      {"balancers", "a list of names, or of names with a map of options, each a value or a list",
       "", "which groups merge, and when"},
      ConfigKey::of(repetitions_parameter, false)};
  keys.insert(keys.end(), others.begin(), others.end());
  const std::vector<ConfigKey> common = ConfigReader::configuration_keys();
  keys.insert(keys.end(), common.begin(), common.end());
  return keys;
}

std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer) {
  if (balancer.regrouping == Regrouping::never) return {};
  const bool anybody = balancer.regrouping == Regrouping::any_time;
  std::vector<std::string_view> allowed;
  for (const Strategy& strategy : strategies) {
    if (!strategy.serves_balancers()) continue;
    if (!anybody || strategy.caller == Caller::group) allowed.push_back(strategy.name);
  }
  return ConfigKey{"communicator", fmt::format("{}", fmt::join(allowed, " | ")),
                   anybody ? "create_group" : "comm_split", "a communicator strategy", true};
}

Experiment read_experiment(const ConfigSource& source) { return Reader(source).read(); }

}  // namespace regroup
