// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from the parameters of a run. All functions take tasks that are runs, and throw
// std::invalid_argument for what does not fit together.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/audit/audit.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/run.hpp"
#include "kernel/starting_groups.hpp"
#include "library/task.hpp"
#include "regroup/costs.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// The walker groups at the start. Throws std::invalid_argument where they are not of its ranks.
StartingGroups starting_groups(const Task& run);

/// How many ranks the smallest of them has.
int smallest_group(const Task& run);

/// How many walkers there are. Throws std::invalid_argument where they are too few or too many.
std::size_t walkers_of(const Task& run);

/// Items of each walker: of those of the groups, from left to right, and then of those that wait.
Items initial_items(const Task& run);

/// The most numbers in the draws of a run that keeps them with keep_draws: auto.
inline constexpr std::int64_t most_kept_numbers = 2'000'000;

/// How many numbers the draws of all its chains have, at most, without those of extra items: an
/// extended run reports as it began. 0 where none are reported.
std::int64_t numbers_in_draws(const Task& run);

/// What is reported of its chains.
ReportPlan report_plan_of(const Task& run);

/// Names the items that walkers have to execute.
std::string problem_of(std::span<const std::int64_t> items);

/// Whether its balancer asks how many ranks the walkers want.
bool heeds_wants(const Task& run);

/// How many ranks each walker wants, in that order.
Wants initial_wants(const Task& run);

/// The time of items.
ItemTime item_time_of(const Task& run);
/// The time of items as balancers believe it to be.
ItemTime believed_time_of(const Task& run);

/// The time that `items`, those of all walkers, take with perfect balance, by the configuration:
/// (their sum) · T / ranks, or the sum of what one rank takes for items with recorded times /
/// ranks.
double ideal_s(const Task& run, std::span<const std::int64_t> items);

/// The time below which nobody can end them (kernel/bound.hpp), by the configuration.
double bound_s(const Task& run, std::span<const std::int64_t> items);

/// Whether, by the configuration, n ranks are n times as fast as one. Then the bound is the ideal.
bool has_perfect_speedup(const Task& run);

/// The median time of an item in groups of each number of ranks, in seconds.
std::map<int, double> measured_item_s(std::span<const GroupLife> lives);

/// In seconds; 0 if unknown.
struct LeastTimes {
  double ideal_s = 0;  ///< with perfect balance and perfect speed-up
  double bound_s = 0;  ///< below which no schedule can end
};
/// For `items`, those of all walkers. For walkers that compute, they are based on the item times in
/// `lives`: the ideal on those of groups of each walker's initial size; the bound is known only if
/// there were groups of every size. For others, they follow from the configuration.
LeastTimes least_times(const Task& run, std::span<const std::int64_t> items,
                       std::span<const GroupLife> lives);

/// The nodes that its ranks are on where these are simulated: filled one after the other, and
/// numbered in the order that the task asks for. Not known where it does not ask for any.
NodeMap simulated_nodes_of(const Task& run);

/// What communication costs in virtual time. Throws UserError where a file of costs does not fit.
Costs costs_of(const Task& run);

/// `row` with every combination of the values that `values` has for each of its options.
template <class Row, class Values>
std::vector<Chosen<Row>> combinations(const Row& row, Values values) {
  std::vector<Chosen<Row>> all{{&row, {}}};
  for (const OptionSpec& spec : row.options) {
    const std::vector<Chosen<Row>> before = std::exchange(all, {});
    for (const auto& value : values(spec)) {
      for (Chosen<Row> one : before) {
        one.options.set(std::string(spec.name), std::string(value));
        all.push_back(std::move(one));
      }
    }
  }
  return all;
}

/// Whether chains of `walker` exchange messages.
inline bool exchange_messages(const Chosen<WalkerEntry>& walker) {
  return walker->exchanges != nullptr && walker->exchanges(walker.options);
}

/// Why `balancer` cannot be run with `strategy`; empty where it can.
std::string hindrance(const BalancerEntry& balancer, const Strategy& strategy);

/// … or with chains that exchange messages.
std::string hindrance(const BalancerEntry& balancer, const Chosen<WalkerEntry>& walker);
std::string hindrance_to_exchanges(const BalancerEntry& balancer, std::string_view walker);

/// … or with these groups at the start.
std::string hindrance(const BalancerEntry& balancer, const StartingGroups& groups);

/// Why an error cannot end one of the chains of `walker`, which exchange messages, alone.
std::string hindrance_to_ending_chains(std::string_view walker);

/// The groups at the start of a run whose walkers have `items`, what they begin with, and who
/// waits; the rest is empty. Without `wants` each wants one rank.
RunInput beginning(const Task& run, std::span<const std::int64_t> items, const Wants& wants = {});

/// The messages between the chains of a run, if they exchange any. Throws std::invalid_argument
/// where a chain would wait for ever.
MessagePattern messages_between(const Task& run, std::span<const std::int64_t> items);
MessagePattern messages_between(std::span<const std::int64_t> items,
                                const std::function<std::unique_ptr<Walker>(int number)>& make);

/// What an engine executes. Throws std::invalid_argument where a file of the workload does not fit.
RunInput resolve(const Task& run);
/// The same where chains have `items`, and `left` of them are left.
RunInput resolve(const Task& run, std::span<const std::int64_t> items,
                 std::span<const std::int64_t> left);

/// Executes the run, whatever its engine, in virtual time; `stop` and what it throws: as the engine
/// does.
Outcome simulate(const Task& run, const std::function<bool()>& stop = {});

/// The files in `directory` with states of its chains.
StateFiles state_files(const Task& run, std::string directory);

/// Names the chains of a run beside their items: all that they depend on.
std::string chains_of(const Task& run);

/// What was executed of `items`: all but what failed chains and walkers that end by themselves left
/// and the items that an earlier run had executed. All where that is not what is missing: the audit
/// finds fault.
Items executed_items(const Task& run, std::span<const std::int64_t> items, const Outcome& outcome);

/// Those of the `executed` items that count: if the run ended because its chains had observed
/// enough, without the items beyond that. For a resumed run, all of them.
Items needed_items(Items executed, const Outcome& outcome);

/// The place of the first of `reports` that cannot be there; nothing where all can. They come chain
/// by chain, of growing numbers of items: every n-th, and the last of each.
std::optional<std::size_t> first_impossible(const Task& run, std::span<const ChainReport> reports);

/// What no execution of `run` can have done (engines/audit/audit.hpp); nothing where it can.
std::optional<std::string> first_violation(const Task& run, const Outcome& outcome,
                                           const TimeLaw* law = nullptr);

/// The place of the first of `failures` that cannot be there, of chains in ascending order; nothing
/// where all can.
std::optional<std::size_t> first_impossible(const Task& run,
                                            std::span<const ChainFailure> failures);

}  // namespace regroup
