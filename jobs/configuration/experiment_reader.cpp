// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/experiment_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "communicators/strategies.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/experiment_checks.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/files/files.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/items/walker.hpp"
#include "kernel/numbers/hash.hpp"
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
  if (node == nullptr) return {anybody ? "create_group" : "comm_split"};
  Values allowed;
  for (const Strategy& strategy : strategies) {
    if (!strategy.serves_balancers()) continue;
    if (!anybody || strategy.caller == Caller::group) allowed.emplace_back(strategy.name);
  }
  return values(*node, "communicator", fmt::format("{}", fmt::join(allowed, " | ")),
                [&](const std::string& value) -> std::string {
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
  const auto kind = [&](std::string_view name, const auto& list, std::string_view fallback) {
    return kinds(find(root(), name), name, entries_of(list), fallback);
  };
  const auto name = [&](std::string_view of, const auto& list, std::string_view fallback) {
    return values(find(root(), of), of, entries_of(list), fallback);
  };
  ExperimentLists lists;
  lists.repetitions = std::stoul(value(repetitions_parameter));
  lists.workloads = kind("workload", standard_catalog().workloads, "cyclic");
  lists.speedups = kind("speedup", standard_catalog().speedups, "perfect");
  lists.costs = kind("costs", standard_catalog().costs, "free");
  lists.balancings = all_balancings();
  lists.engines = name("engine", engines(), "mpi");
  lists.walkers = name("walker", standard_catalog().walkers, "sleep");
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
  Values keys{"engine", "workload", "speedup", "costs", "walker", "balancers", "repetitions"};
  keys.insert(keys.end(), configuration_keys.begin(), configuration_keys.end());
  for (const OptionSpec& spec : parameter_specs) keys.emplace_back(spec.name);
  check_keys(root(), "the configuration", keys);

  Experiment experiment(configuration(), lists());
  check_size(experiment.grid(), "runs");
  check(*this, experiment);
  experiment.enumerate();
  return experiment;
}

}  // namespace

std::span<const EngineEntry> engines() { return engine_entries; }
std::span<const OptionSpec> parameters() { return parameter_specs; }

Experiment read_experiment(const ConfigSource& source) { return Reader(source).read(); }

}  // namespace regroup
