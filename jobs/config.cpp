// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "balancers/balancers.hpp"
#include "communicators/strategies.hpp"
#include "jobs/config_reader.hpp"
#include "jobs/input_files.hpp"
#include "kernel/rank_range.hpp"
#include "kernel/speedup.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/walker.hpp"
#include "kernel/workload.hpp"

namespace regroup {
namespace {

constexpr std::array engine_entries{
    EngineEntry{{"mpi", "real MPI processes, wall clock", {}}, "wall"},
    EngineEntry{{"virtual", "the same balancers driven by events in virtual time, no MPI", {}},
                "virtual"},
    EngineEntry{{"simgrid",
                 "the MPI program on SimGrid: all ranks in one process, virtual time; what SimGrid "
                 "lacks becomes rows with status unsupported",
                 {}},
                "simgrid"},
};

using Type = OptionSpec::Type;

constexpr std::array parameter_specs{
    OptionSpec{"ranks", Type::integer, "", 1, 1 << 20, "", "processes of the world communicator"},
    OptionSpec{"group_size", Type::integer, "4", 1, 1 << 20, "",
               "G: ranks of a walker group at the start; the last group may be smaller"},
    OptionSpec{
        "item_ms", Type::real, "100", 1e-6, 1e9, "",
        "T: what one rank takes for one item, in milliseconds; a group of g takes T / g with "
        "perfect speed-up"},
    OptionSpec{"jitter", Type::real, "0", 0, 10, "",
               "standard deviation of an item's time, relative to its mean"},
    OptionSpec{"seed", Type::integer, "1", 0, 1e15, "", "of all random numbers"},
    OptionSpec{"timeout_s", Type::real, "120", 0.1, 1e7, "", "a run that takes longer is ended"},
    OptionSpec{"waiting", Type::choice, "auto", 0, 0, "auto | wrapper | polite | direct",
               "how ranks wait: naps inside MPI too (wrapper), in our own code only (polite), not "
               "at all (direct); auto naps where ranks outnumber cores"},
};

/// Reads the configuration of an experiment.
class Reader : ConfigReader {
 public:
  using ConfigReader::ConfigReader;

  Experiment read();

 private:
  struct Balancing {
    Choice balancer;
    std::string communicator;
  };

  std::vector<Balancing> balancings(const ConfigNode& item) const;
  Values communicators(const BalancerEntry& entry, const ConfigNode* node) const;
  std::vector<Balancing> all_balancings() const;
  void check_files(std::vector<Scenario>& runs) const;
};

std::vector<Reader::Balancing> Reader::balancings(const ConfigNode& item) const {
  const bool map = item.kind == ConfigNode::Kind::map;
  if (item.kind == ConfigNode::Kind::list || (map && item.pairs.size() != 1)) {
    fail(item, "a balancer is a name, or a name with a map of its options",
         "allowed: " + names(entries_of(balancers())));
  }
  const ConfigNode& name = map ? item.pairs.front().first : item;
  const ConfigNode* options = map ? &item.pairs.front().second : nullptr;
  const BalancerEntry* entry = find_entry(balancers(), name.text);
  if (entry == nullptr) {
    fail(name, fmt::format("unknown balancer '{}'", name.text),
         "allowed: " + names(entries_of(balancers())));
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
  std::vector<Balancing> result;
  for (const Choice& choice : choices(*entry, options, name)) {
    for (const std::string& communicator : communicators(*entry, strategy)) {
      result.push_back({choice, communicator});
    }
  }
  return result;
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

std::vector<Reader::Balancing> Reader::all_balancings() const {
  const ConfigNode* node = find(root(), "balancers");
  if (node == nullptr)
    fail(root(), "'balancers' is missing", "allowed: " + names(entries_of(balancers())));
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    fail(*node, "balancers must be a list that is not empty",
         "allowed: " + names(entries_of(balancers())));
  }
  std::vector<Balancing> result;
  for (const ConfigNode& item : node->items) {
    for (Balancing& balancing : balancings(item)) {
      const bool twice = std::ranges::any_of(result, [&](const Balancing& other) {
        return other.balancer == balancing.balancer && other.communicator == balancing.communicator;
      });
      if (twice) {
        fail(item,
             fmt::format("balancer {} stands twice with the same options", balancing.balancer.name),
             "give it once");
      }
      result.push_back(std::move(balancing));
    }
  }
  return result;
}

/// The files that a run reads must be there and fit it. What is in them is part of the run: results
/// of other contents are results of another run.
void Reader::check_files(std::vector<Scenario>& runs) const {
  InputFiles files;
  for (Scenario& run : runs) {
    run.inputs = files.hash(run).value_or("");
    try {
      if (run.workload.options.has("file")) initial_items(run);
    } catch (const std::invalid_argument& error) {
      fail(*find(root(), "workload"), error.what(),
           fmt::format("a run of {} ranks in groups of {} needs {} rows", run.ranks, run.group_size,
                       initial_groups(run.ranks, run.group_size).size()));
    }
    try {
      if (run.costs.options.has("costs_file")) Costs{run};
    } catch (const UserError& error) {
      fail(*find(root(), "costs"), error.what(),
           "give the files that 'regroup creation' and 'regroup steps' wrote");
    }
  }
}

/// Costs apply in virtual time only: elsewhere runs that differ in nothing else are one run.
void without_idle_costs(std::vector<Scenario>& runs) {
  std::set<std::string> seen;
  std::erase_if(runs, [&](Scenario& run) {
    if (run.engine == "virtual") return false;
    run.costs = {};
    return !seen.insert(fingerprint(run)).second;
  });
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

  Experiment experiment{configuration(), {}};
  const auto parameter = [&](std::string_view name) {
    return values(find(root(), name), *find_entry(parameter_specs, name), root());
  };
  const int repetitions = std::stoi(value(repetitions_parameter));
  const auto workload_choices =
      kinds(find(root(), "workload"), "workload", entries_of(workloads()), "cyclic");
  const auto speedup_choices =
      kinds(find(root(), "speedup"), "speedup", entries_of(speedups()), "perfect");
  const auto cost_choices =
      kinds(find(root(), "costs"), "costs", entries_of(cost_models()), "free");
  const auto balancing_choices = all_balancings();
  const Values engine_names =
      values(find(root(), "engine"), "engine", entries_of(engines()), "mpi");
  const Values walker_names =
      values(find(root(), "walker"), "walker", entries_of(walkers()), "sleep");

  // The cross product, a parameter at a time; the first varies most slowly.
  std::vector<Scenario> runs(1);
  runs.front().experiment = experiment.name;
  const auto cross = [&](const auto& all, auto set) {
    std::vector<Scenario> product;
    for (const Scenario& run : runs) {
      for (const auto& value : all) {
        set(product.emplace_back(run), value);
      }
    }
    runs = std::move(product);
  };
  Values numbers;
  for (int i = 1; i <= repetitions; ++i) numbers.push_back(std::to_string(i));
  cross(numbers, [](Scenario& run, const std::string& v) { run.repetition = std::stoi(v); });
  cross(engine_names, [](Scenario& run, const std::string& v) { run.engine = v; });
  cross(parameter("seed"), [](Scenario& run, const std::string& v) { run.seed = std::stoull(v); });
  cross(parameter("waiting"), [](Scenario& run, const std::string& v) { run.waiting = v; });
  cross(parameter("timeout_s"),
        [](Scenario& run, const std::string& v) { run.timeout_s = std::stod(v); });
  cross(workload_choices, [](Scenario& run, const Choice& v) { run.workload = v; });
  cross(cost_choices, [](Scenario& run, const Choice& v) { run.costs = v; });
  cross(speedup_choices, [](Scenario& run, const Choice& v) { run.speedup = v; });
  cross(parameter("jitter"),
        [](Scenario& run, const std::string& v) { run.jitter = std::stod(v); });
  cross(walker_names, [](Scenario& run, const std::string& v) { run.walker = v; });
  cross(parameter("item_ms"),
        [](Scenario& run, const std::string& v) { run.item_ms = std::stod(v); });
  cross(parameter("group_size"),
        [](Scenario& run, const std::string& v) { run.group_size = std::stoi(v); });
  cross(parameter("ranks"), [](Scenario& run, const std::string& v) { run.ranks = std::stoi(v); });
  cross(balancing_choices, [](Scenario& run, const Balancing& v) {
    run.balancer = v.balancer;
    run.communicator = v.communicator;
  });
  check_files(runs);
  without_idle_costs(runs);
  experiment.runs = std::move(runs);
  return experiment;
}

}  // namespace

std::span<const EngineEntry> engines() { return engine_entries; }
std::span<const OptionSpec> parameters() { return parameter_specs; }

Experiment read_experiment(const std::string& path) { return Reader(path).read(); }

}  // namespace regroup
