// SPDX-License-Identifier: BSD-3-Clause
//
// Where names end: the objects that the names of a scenario stand for. All throw
// std::invalid_argument for a name that the catalog does not have.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/audit/audit.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/run.hpp"
#include "kernel/starting_groups.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// The groups at the start of a run whose walkers have `items`, what they begin with, and who
/// waits; the rest of the run is empty. Without `wants` each wants one rank.
RunInput beginning(const Scenario& scenario, std::span<const std::int64_t> items,
                   const Wants& wants = {}, const Catalog& catalog = standard_catalog());

/// The walker groups at the start. Throws std::invalid_argument where they are not of its ranks.
StartingGroups starting_groups(const Scenario& scenario);

/// How many ranks the smallest of them has.
int smallest_group(const Scenario& scenario);

/// What an engine executes. Throws std::invalid_argument where a file of the workload does not fit.
RunInput resolve(const Scenario& scenario, const Catalog& catalog = standard_catalog());
/// The same where walkers have `items`: the rest of those that the workload has for them, or
/// others.
RunInput resolve(const Scenario& scenario, std::span<const std::int64_t> items,
                 const Catalog& catalog = standard_catalog());

/// The nodes that its ranks are on where these are simulated: filled one after the other, and
/// numbered in the order of the scenario. Not known where it does not ask for any.
NodeMap simulated_nodes_of(const Scenario& scenario);

/// What communication costs in virtual time. Throws UserError where a file of costs does not fit.
Costs resolve_costs(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// What carries out the decisions of its balancer.
const EngineEntry& engine_of(const Scenario& task, const Catalog& catalog = standard_catalog());

ItemTime resolve_item_time(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// Why `balancer` cannot be run with `strategy`; empty where it can.
std::string hindrance(const BalancerEntry& balancer, const Strategy& strategy);

/// … or with these groups at the start.
std::string hindrance(const BalancerEntry& balancer, const StartingGroups& groups);

std::unique_ptr<Balancer> make_balancer(const Choice& choice,
                                        const Catalog& catalog = standard_catalog());

/// How many walkers there are. Throws std::invalid_argument where they are too few or too many.
std::size_t walkers_of(const Scenario& scenario);

/// Items of each walker: of those of the groups, from left to right, and then of those that wait.
Items initial_items(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// What was executed of `items`: all of them, but where walkers end by themselves or went on from
/// `resumed_items` that an earlier run had executed. All, too, where that is not what is missing:
/// then the audit finds fault.
Items executed_items(const Scenario& scenario, std::span<const std::int64_t> items,
                     std::span<const GroupLife> lives, std::int64_t resumed_items,
                     const Catalog& catalog = standard_catalog());

/// Names the items that walkers have to execute.
std::string problem_of(std::span<const std::int64_t> items);

/// The files in `directory` with states of its chains.
StateFiles state_files(const Scenario& scenario, std::string directory);

/// Names the chains of a run beside their items: all that they depend on.
std::string chains_of(const Scenario& scenario);

/// Whether its balancer asks how many ranks the walkers want.
bool heeds_wants(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// How many ranks each walker wants, in that order.
Wants initial_wants(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// The time that `items`, those of all walkers, take with perfect balance: (their sum) · T / ranks.
double ideal_s(const Scenario& scenario, std::span<const std::int64_t> items);
double ideal_s(const Scenario& scenario, const Catalog& catalog = standard_catalog());

/// The time below which nobody can end them (kernel/bound.hpp).
double bound_s(const Scenario& scenario, std::span<const std::int64_t> items,
               const Catalog& catalog = standard_catalog());

/// What no run of `scenario` can have done (kernel/audit/audit.hpp); nothing where it can.
std::optional<std::string> first_violation(const Scenario& scenario,
                                           std::span<const GroupLife> lives,
                                           const TimeLaw* law = nullptr,
                                           const Catalog& catalog = standard_catalog(),
                                           std::int64_t resumed_items = 0);

/// Executes the scenario, whatever its engine, in virtual time; `stop` and what it throws: as the
/// engine does.
Outcome simulate(const Scenario& scenario, const std::function<bool()>& stop = {},
                 const Catalog& catalog = standard_catalog());

// What the parameters of a measurement come to.

/// Whether it is a measurement of sorting.
bool is_sort(const Scenario& task);

/// The communicator strategy that a task is about; empty where it is about none.
std::string_view strategy_of(const Scenario& task);

/// The groups that a measurement forms, layer by layer; nothing where they depend on the nodes of
/// its ranks, or `nodes` do not allow any, or where what is sorted decides.
std::vector<Layer> layers_of(const Scenario& measurement,
                             const Catalog& catalog = standard_catalog(),
                             const NodeMap& nodes = {});

/// Whether its groups depend on who shares a node.
bool needs_nodes(const Scenario& measurement, const Catalog& catalog = standard_catalog());

/// Fixes the options that do not apply to a measurement, so that it is made once whatever they are.
void settle(Scenario& measurement, const Catalog& catalog = standard_catalog());

/// Whether a settled measurement fits into its ranks; else a sweep leaves it out.
bool fits(const Scenario& measurement);

/// Why a measurement cannot be made, whatever the MPI library: its strategy cannot form the groups
/// of its pattern, or its ranks are on `nodes` that do not allow them. Empty where it can, or where
/// nodes are not known and needed.
std::string impossible(const Scenario& measurement, const Catalog& catalog = standard_catalog(),
                       const NodeMap& nodes = {});

}  // namespace regroup
