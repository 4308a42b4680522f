// SPDX-License-Identifier: BSD-3-Clause
//
// Values that follow from the parameters of a run. All functions take tasks that are runs, and
// throw std::invalid_argument if parameters contradict each other.
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

/// Returns the initial groups. Throws std::invalid_argument unless they match the run's ranks.
StartingGroups starting_groups(const Task& run);

/// Returns the number of ranks of the smallest initial group.
int smallest_group(const Task& run);

/// Returns the number of walkers. Throws std::invalid_argument if it is too small or too large.
std::size_t walkers_of(const Task& run);

/// Returns the items of each walker: first those of the groups, from left to right, then the rest.
Items initial_items(const Task& run);

/// Maximum of numbers_in_draws up to which `keep_draws: auto` keeps draws.
inline constexpr std::int64_t most_kept_numbers = 2'000'000;

/// Returns the maximum number of numbers in the draws of all chains, or 0 without reports. Extra
/// items are not counted, so that an extended run has the same report plan as before.
std::int64_t numbers_in_draws(const Task& run);

/// Returns when its chains report, and whether draws are kept.
ReportPlan report_plan_of(const Task& run);

/// Returns a hash of the items of all walkers.
std::string problem_of(std::span<const std::int64_t> items);

/// Whether its balancer uses the numbers of ranks that walkers want.
bool heeds_wants(const Task& run);

/// Returns the number of ranks that each walker wants, in the order of initial_items.
Wants initial_wants(const Task& run);

/// Returns the actual time of items.
ItemTime item_time_of(const Task& run);
/// Returns the time of items that balancers assume.
ItemTime believed_time_of(const Task& run);

/// Returns the time of `items`, those of all walkers, with perfect balance, by the configuration:
/// (their sum) · T / ranks or, for recorded times, (the sum of their times on one rank) / ranks.
double ideal_s(const Task& run, std::span<const std::int64_t> items);

/// Returns the time before which no schedule can end (kernel/bound.hpp), by the configuration.
double bound_s(const Task& run, std::span<const std::int64_t> items);

/// Whether, by the configuration, n ranks are n times as fast as one. Then the bound is the ideal.
bool has_perfect_speedup(const Task& run);

/// Returns the median item time in seconds for each group size in `lives`.
std::map<int, double> measured_item_s(std::span<const GroupLife> lives);

/// Reference times of a run, in seconds; 0 if unknown.
struct LeastTimes {
  double ideal_s = 0;  ///< with perfect balance and perfect speed-up
  double bound_s = 0;  ///< before which no schedule can end
};
/// Returns the times for `items`, those of all walkers. For walkers that compute, they are based on
/// the item times in `lives`: the ideal on those of groups of each walker's initial size; the bound
/// is known only if there were groups of every size. Otherwise, the configuration determines them.
LeastTimes least_times(const Task& run, std::span<const std::int64_t> items,
                       std::span<const GroupLife> lives);

/// Returns the node of each simulated rank, determined by the task's ranks_per_node and rank_order.
/// The nodes are unknown if ranks_per_node is 0.
NodeMap simulated_nodes_of(const Task& run);

/// Returns the communication costs in virtual time. Throws UserError if a file lacks such costs.
Costs costs_of(const Task& run);

/// Returns `row` with all combinations of the values that `values(spec)` contains for its options.
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

/// Returns the reason why `balancer` cannot run with `strategy`, or an empty text if it can.
std::string hindrance(const BalancerEntry& balancer, const Strategy& strategy);

/// The same for `balancer` and chains that exchange messages.
std::string hindrance(const BalancerEntry& balancer, const Chosen<WalkerEntry>& walker);
std::string hindrance_to_exchanges(const BalancerEntry& balancer, std::string_view walker);

/// The same for `balancer` and initial groups.
std::string hindrance(const BalancerEntry& balancer, const StartingGroups& groups);

/// Returns the reason why an error cannot end a single chain if chains exchange messages.
std::string hindrance_to_ending_chains(std::string_view walker);

/// Returns only the initial groups, their items and the queue of a run whose walkers have `items`.
/// The rest of the result is empty. Without `wants`, each walker wants one rank.
RunInput beginning(const Task& run, std::span<const std::int64_t> items, const Wants& wants = {});

/// Returns the messages between the chains of a run, if any. Throws std::invalid_argument if a
/// chain would wait forever.
MessagePattern messages_between(const Task& run, std::span<const std::int64_t> items);
MessagePattern messages_between(std::span<const std::int64_t> items,
                                const std::function<std::unique_ptr<Walker>(int number)>& make);

/// Returns the input of an engine. Throws std::invalid_argument if a workload's file is unsuitable.
RunInput resolve(const Task& run);
/// The same for chains that have `items` in all, of which `left` are left.
RunInput resolve(const Task& run, std::span<const std::int64_t> items,
                 std::span<const std::int64_t> left);

/// Executes the run in virtual time, whatever its engine. `stop` and exceptions are those of the
/// virtual engine.
Outcome simulate(const Task& run, const std::function<bool()>& stop = {});

/// Returns the files in `directory` with the states of its chains.
StateFiles state_files(const Task& run, std::string directory);

/// Returns a text with all that the chains of a run depend on, except their items.
std::string chains_of(const Task& run);

/// Returns the executed part of `items`: without the items of earlier runs, and without the items
/// left over by chains that failed or ended early. Returns all items if the lives in `outcome`
/// disagree with this, so that the audit finds a violation.
Items executed_items(const Task& run, std::span<const std::int64_t> items, const Outcome& outcome);

/// Returns the needed part of the `executed` items: if the run ended because its chains had
/// observed enough, without the items beyond that. For a resumed run, returns all of them.
Items needed_items(Items executed, const Outcome& outcome);

/// Returns the index of the first impossible report, if any. Reports are sorted by chain and number
/// of items, and each is at a multiple of report_every items or the last one of its chain.
std::optional<std::size_t> first_impossible(const Task& run, std::span<const ChainReport> reports);

/// Describes the first event that no execution of `run` can have (engines/audit/audit.hpp), if any.
std::optional<std::string> first_violation(const Task& run, const Outcome& outcome,
                                           const TimeLaw* law = nullptr);

/// Returns the index of the first impossible failure, if any. Failures are sorted by chain, with at
/// most one per chain.
std::optional<std::size_t> first_impossible(const Task& run,
                                            std::span<const ChainFailure> failures);

}  // namespace regroup
