// SPDX-License-Identifier: BSD-3-Clause
#include "library/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "engines/virtual/engine.hpp"
#include "kernel/bound.hpp"
#include "kernel/rank_order.hpp"
#include "measurements/sorts.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr std::size_t most_walkers = 1 << 20;

/// The row `name` of a list of the catalog.
template <class Rows>
const auto& row(const Rows& rows, std::string_view what, std::string_view name) {
  const auto* found = find_entry(rows, name);
  if (found == nullptr) throw std::invalid_argument(fmt::format("unknown {} '{}'", what, name));
  return *found;
}

/// The row of a choice, which takes its options.
template <class Rows>
const auto& row(const Rows& rows, std::string_view what, const Choice& choice) {
  const auto& found = row(rows, what, choice.name);
  check_options(found, choice.options);
  return found;
}

/// The strategy of the scenario, or nullptr where its balancer never regroups.
const Strategy* strategy_of(const Scenario& scenario, const Catalog& catalog) {
  if (scenario.communicator.empty()) return nullptr;
  return &row(catalog.strategies, "communicator strategy", scenario.communicator);
}

/// How many ranks the group that `walker` begins with would have if every walker had one.
int ranks_for(std::size_t walker, const Scenario& scenario, const StartingGroups& groups) {
  return scenario.groups == equal_groups ? scenario.group_size
                                         : groups[walker % groups.size()].size();
}

/// What the groups at the start would be if every walker had one, as ranges from their lowest rank
/// on.
std::vector<RankRange> groups_of_walkers(const Scenario& scenario) {
  const StartingGroups groups = starting_groups(scenario);
  std::vector<RankRange> all(walkers_of(scenario));
  for (std::size_t walker = 0; walker < all.size(); ++walker) {
    const int lo = groups.names().name(walker);
    all[walker] = {lo, lo + ranks_for(walker, scenario, groups) - 1};
  }
  return all;
}

WalkerNames names_of(const Scenario& scenario) {
  if (scenario.groups != equal_groups) return starting_groups(scenario).names();
  return WalkerNames::multiples((scenario.ranks - 1) / scenario.group_size + 1,
                                scenario.group_size);
}

}  // namespace

const EngineEntry& engine_of(const Scenario& task, const Catalog& catalog) {
  return row(catalog.engines, "engine", task.engine);
}

ItemTime resolve_item_time(const Scenario& scenario, const Catalog& catalog) {
  const SpeedupEntry& speedup = row(catalog.speedups, "speed-up", scenario.speedup);
  return {speedup.make(scenario.speedup.options, scenario.item_ms / 1000), scenario.jitter,
          scenario.stream()};
}

StartingGroups starting_groups(const Scenario& scenario) {
  if (scenario.groups == equal_groups) {
    return StartingGroups::equal(scenario.ranks, scenario.group_size);
  }
  StartingGroups groups = StartingGroups::from(scenario.groups);
  if (groups.ranks() != scenario.ranks) {
    throw std::invalid_argument(
        fmt::format("groups of {} ranks in a run of {}", groups.ranks(), scenario.ranks));
  }
  if (groups.largest() != scenario.group_size) {
    throw std::invalid_argument(fmt::format("the largest group has {} ranks, and not {}",
                                            groups.largest(), scenario.group_size));
  }
  return groups;
}

int smallest_group(const Scenario& scenario) {
  if (scenario.groups != equal_groups) return starting_groups(scenario).smallest();
  const int last = scenario.ranks % scenario.group_size;  // where it is smaller
  return last == 0 ? scenario.group_size : last;
}

std::string hindrance(const BalancerEntry& balancer, const StartingGroups& groups) {
  if (balancer.shapes == Shapes::any || balancer.regrouping == Regrouping::never) return {};
  const RankSet* with_gap = groups.with_gap();
  if (with_gap == nullptr) return {};
  return fmt::format("{} forms ranges of ranks, and a group at the start is none: {}",
                     balancer.name, text_of(*with_gap));
}

std::size_t walkers_of(const Scenario& scenario) {
  const WalkerNames names = names_of(scenario);
  const std::int64_t groups = names.groups();
  const std::int64_t walkers =
      scenario.walkers_in_all > 0 ? scenario.walkers_in_all : groups * scenario.walkers_per_group;
  if (walkers < groups) {
    throw std::invalid_argument(
        fmt::format("{} walkers in all are too few for {} groups, each of which begins with one",
                    walkers, groups));
  }
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(most_walkers, names.most()));
  if (walkers > std::max(groups, most)) {
    throw std::invalid_argument(fmt::format("{} walkers for groups of {} are too many; allowed: {}",
                                            walkers, scenario.group_size, most));
  }
  return static_cast<std::size_t>(walkers);
}

RunInput beginning(const Scenario& scenario, std::span<const std::int64_t> items,
                   const Wants& wants, const Catalog& catalog) {
  RunInput run;
  run.groups = starting_groups(scenario);
  const bool idle = heeds_wants(scenario, catalog);
  const std::size_t begun = idle ? 0 : std::min(run.groups.size(), items.size());
  run.items.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begun));
  std::vector<WaitingWalker> tasks;
  for (std::size_t i = begun; i < items.size(); ++i) {
    tasks.push_back({run.groups.names().name(i), items[i], wants.empty() ? 1 : wants[i]});
  }
  run.queue = Queue(std::move(tasks), run.groups.names().turn());
  return run;
}

RunInput resolve(const Scenario& scenario, const Catalog& catalog) {
  return resolve(scenario, initial_items(scenario, catalog), catalog);
}

RunInput resolve(const Scenario& scenario, std::span<const std::int64_t> items,
                 const Catalog& catalog) {
  const Wants wants = heeds_wants(scenario, catalog) ? initial_wants(scenario, catalog) : Wants{};
  RunInput run = beginning(scenario, items, wants, catalog);
  run.ranks = scenario.ranks;
  run.balancer = make_balancer(scenario.balancer, catalog);
  const std::string hindered =
      hindrance(row(catalog.balancers, "balancer", scenario.balancer), run.groups);
  if (!hindered.empty()) throw std::invalid_argument(hindered);
  run.item_time = resolve_item_time(scenario, catalog);
  if (const Strategy* strategy = strategy_of(scenario, catalog)) run.strategy = *strategy;
  run.stream = scenario.stream();
  run.nodes = simulated_nodes_of(scenario);
  run.state_bytes =
      row(catalog.walkers, "walker", scenario.walker).state_bytes(scenario.walker.options);
  return run;
}

NodeMap simulated_nodes_of(const Scenario& scenario) {
  if (scenario.ranks_per_node == 0) return {};
  return NodeMap(
      simulated_nodes(scenario.ranks, scenario.ranks_per_node, scenario.order, scenario.seed));
}

Costs resolve_costs(const Scenario& scenario, const Catalog& catalog) {
  // A scenario of another engine has no costs: simulated, its communication is free.
  const CostModel& model =
      row(catalog.costs, "costs", scenario.costs.name.empty() ? "free" : scenario.costs.name);
  Options options = with_fallbacks(model).options;
  for (const auto& [option, value] : scenario.costs.options) options.set(option, value);
  return model.make(options, scenario.ranks, strategy_of(scenario, catalog))
      .on(simulated_nodes_of(scenario));
}

std::string hindrance(const BalancerEntry& balancer, const Strategy& strategy) {
  if (!strategy.serves_balancers()) {
    return fmt::format("{} cannot form the groups of a balancer", strategy.name);
  }
  if (balancer.shapes == Shapes::any && strategy.forms != Forms::any) {
    return fmt::format("{} forms ranges of ranks, but {} forms groups of any ranks", strategy.name,
                       balancer.name);
  }
  if (balancer.regrouping == Regrouping::any_time && strategy.caller == Caller::parent) {
    return fmt::format(
        "{} over {} would deadlock: every rank must enter {}, but {} regroups two "
        "groups while the others work",
        balancer.name, strategy.name, strategy.name, balancer.name);
  }
  return {};
}

std::unique_ptr<Balancer> make_balancer(const Choice& choice, const Catalog& catalog) {
  return row(catalog.balancers, "balancer", choice).make(choice.options);
}

Items initial_items(const Scenario& scenario, const Catalog& catalog) {
  const WorkloadEntry& workload = row(catalog.workloads, "workload", scenario.workload);
  return workload.items(scenario.workload.options, groups_of_walkers(scenario), scenario.stream());
}

Items executed_items(const Scenario& scenario, std::span<const std::int64_t> items,
                     std::span<const GroupLife> lives, std::int64_t resumed_items,
                     const Catalog& catalog) {
  const Items all(items.begin(), items.end());
  const bool open_end =
      scenario.may_end_early() || row(catalog.walkers, "walker", scenario.walker).open_end;
  if (!open_end && resumed_items == 0) return all;
  Items executed = items_at_start(lives);
  if (executed.size() != all.size()) return all;
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (executed[i] > all[i]) return all;
    missing += all[i] - executed[i];
  }
  return (open_end ? missing < resumed_items : missing != resumed_items) ? all : executed;
}

std::string problem_of(std::span<const std::int64_t> items) {
  return hash_text(fmt::format("{}", fmt::join(items, " ")));
}

StateFiles state_files(const Scenario& scenario, std::string directory) {
  return {std::move(directory), chains_of(scenario)};
}

std::string chains_of(const Scenario& scenario) {
  std::string name = scenario.walker.name;
  for (const auto& [option, value] : scenario.walker.options) {
    name += fmt::format(" {}={}", option, value);
  }
  return fmt::format("{} stream={}", name, scenario.stream());
}

bool heeds_wants(const Scenario& scenario, const Catalog& catalog) {
  return row(catalog.balancers, "balancer", scenario.balancer).start == Start::idle;
}

Wants initial_wants(const Scenario& scenario, const Catalog& catalog) {
  const WantsEntry& entry = row(catalog.wants, "wants", scenario.wants);
  Wants wants = entry.of(scenario.wants.options, groups_of_walkers(scenario), scenario.stream());
  const auto most = std::ranges::max_element(wants);
  if (*most > scenario.ranks && scenario.wants.name != "group_size") {
    throw std::invalid_argument(
        fmt::format("a walker wants {} ranks of {}; allowed: at most all", *most, scenario.ranks));
  }
  for (int& wanted : wants) wanted = std::min(wanted, scenario.ranks);
  return wants;
}

double ideal_s(const Scenario& scenario, std::span<const std::int64_t> items) {
  // Exact up to 2^53 items, and never too large.
  const double sum = std::accumulate(items.begin(), items.end(), 0.0);
  return sum * scenario.item_ms / 1000 / scenario.ranks;
}

double ideal_s(const Scenario& scenario, const Catalog& catalog) {
  return ideal_s(scenario, initial_items(scenario, catalog));
}

double bound_s(const Scenario& scenario, std::span<const std::int64_t> items,
               const Catalog& catalog) {
  return bound_s(items, resolve_item_time(scenario, catalog), scenario.ranks);
}

std::optional<std::string> first_violation(const Scenario& scenario,
                                           std::span<const GroupLife> lives, const TimeLaw* law,
                                           const Catalog& catalog, std::int64_t resumed_items) {
  const Items items =
      executed_items(scenario, initial_items(scenario, catalog), lives, resumed_items, catalog);
  const RunInput start = beginning(scenario, items, {}, catalog);
  return first_violation(lives, start.groups, start.items, law, start.queue);
}

Outcome simulate(const Scenario& scenario, const std::function<bool()>& stop,
                 const Catalog& catalog) {
  return simulate(resolve(scenario, catalog), resolve_costs(scenario, catalog), stop);
}

namespace {

int group_size_of(const Scenario& measurement) {
  return static_cast<int>(measurement.measure.options.integer("group_size"));
}

const Pattern& pattern_of(const Scenario& measurement, const Catalog& catalog) {
  return *find_entry(catalog.patterns, measurement.measure.options.text("pattern"));
}

}  // namespace

bool is_sort(const Scenario& task) { return task.measure.name == "sort"; }

std::string_view strategy_of(const Scenario& task) {
  if (task.is_run()) return task.communicator;
  if (!task.measure.options.has("communicator")) return {};
  const std::string& name = task.measure.options.text("communicator");
  return is_sort(task) && is_plain_sort(name) ? std::string_view() : name;
}

bool needs_nodes(const Scenario& m, const Catalog& catalog) {
  return m.measure.options.has("pattern") && pattern_of(m, catalog).on_nodes != nullptr;
}

std::vector<Layer> layers_of(const Scenario& m, const Catalog& catalog, const NodeMap& nodes) {
  if (is_sort(m)) return {};
  if (needs_nodes(m, catalog)) {
    if (!nodes.known()) return {};
    return pattern_of(m, catalog).on_nodes(nodes, m.ranks, group_size_of(m));
  }
  if (!m.measure.options.has("pattern")) return {{Members::range(0, group_size_of(m))}};
  return pattern_of(m, catalog).layers(m.ranks, group_size_of(m), m.seed);
}

void settle(Scenario& m, const Catalog& catalog) {
  Options& options = m.measure.options;
  if (is_sort(m)) {
    if (m.ranks == 1) options.set("communicator", std::string(std_sort_entry.name));
    if (is_plain_sort(options.text("communicator"))) options.set("assignment", "greedy");
  }
  const std::string_view strategy = strategy_of(m);
  if (!strategy.empty() && !find_entry(catalog.strategies, strategy)->serves_balancers()) {
    options.set("group_size", std::to_string(m.ranks));
    if (options.has("pattern")) options.set("pattern", "one_group");
  }
  if (options.has("pattern")) {
    const int own_size = pattern_of(m, catalog).own_size(m.ranks);
    if (own_size > 0) options.set("group_size", std::to_string(own_size));
  }
  if (options.has("operation") && options.text("operation") == "barrier") {
    options.set("elements_per_rank", "0");
  }
  if (!find_entry(catalog.walkers, m.walker.name)->timed) m.item_ms = Scenario().item_ms;
}

bool fits(const Scenario& m) {
  if (!is_sort(m)) return group_size_of(m) <= m.ranks;
  return m.ranks == 1 || m.measure.options.text("communicator") != std_sort_entry.name;
}

std::string impossible(const Scenario& m, const Catalog& catalog, const NodeMap& nodes) {
  if (is_sort(m)) {
    return fits(m) ? "" : fmt::format("{} sorts on one rank only", std_sort_entry.name);
  }
  const int group_size = group_size_of(m);
  if (group_size > m.ranks) {
    return fmt::format("a group of {} does not fit into {} ranks", group_size, m.ranks);
  }
  const Strategy* strategy = find_entry(catalog.strategies, strategy_of(m));
  if (strategy == nullptr) return {};
  const std::vector<Layer> layers = layers_of(m, catalog, nodes);
  if (layers.empty() && nodes.known()) {
    return fmt::format("no group of {} is {}: {} ranks are on {} node{}, at most {} on one",
                       group_size, m.measure.options.text("pattern"), m.ranks, nodes.nodes(),
                       nodes.nodes() == 1 ? "" : "s", nodes.most_ranks());
  }
  for (const Layer& layer : layers) {
    for (const Members& group : layer) {
      if (strategy->forms == Forms::ranges && !group.is_range()) {
        return fmt::format("{} forms ranges of its parent only", strategy->name);
      }
      if (!strategy->serves_balancers() && group.size() != m.ranks) {
        return fmt::format("{} is entered by all ranks and forms {} only", strategy->name,
                           strategy->forms == Forms::whole ? "a copy of its parent"
                                                           : "what shares a part of the machine");
      }
    }
  }
  return {};
}

}  // namespace regroup
