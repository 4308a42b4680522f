// SPDX-License-Identifier: BSD-3-Clause
#include "library/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "engines/virtual/engine.hpp"
#include "kernel/bound.hpp"
#include "kernel/rank_order.hpp"
#include "kernel/workloads/recorded.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr std::size_t most_walkers = 1 << 20;

/// Returns the initial group that each walker would have if every walker had one, as a range that
/// begins at the lowest rank of the group.
std::vector<RankRange> groups_of_walkers(const Task& task) {
  const Run& run = task.run();
  const StartingGroups groups = starting_groups(task);
  std::vector<RankRange> all(walkers_of(task));
  for (std::size_t walker = 0; walker < all.size(); ++walker) {
    const int ranks =
        run.equal_groups_at_start() ? run.group_size : groups[walker % groups.size()].size();
    const int lo = groups.names().name(walker);
    all[walker] = {lo, lo + ranks - 1};
  }
  return all;
}

/// Returns the items of each walker without `extra_items`.
Items items_of_workload(const Task& task) {
  const auto& workload = task.run().workload;
  return workload->items(workload.options, groups_of_walkers(task), task.stream());
}

/// Returns the number of items of a chain's warm-up.
std::int64_t warm_up_of(const Run& run) {
  const std::string_view option = run.walker->warm_up_option;
  return option.empty() ? 0 : run.walker.options.integer(option);
}

WalkerNames names_of(const Task& task) {
  const Run& run = task.run();
  if (!run.equal_groups_at_start()) return starting_groups(task).names();
  return WalkerNames::multiples((task.ranks - 1) / run.group_size + 1, run.group_size);
}

}  // namespace

StartingGroups starting_groups(const Task& task) {
  const Run& run = task.run();
  if (run.equal_groups_at_start()) return StartingGroups::equal(task.ranks, run.group_size);
  const auto number = number_of_groups(run.groups);
  if (number && *number > task.ranks) {
    throw std::invalid_argument(fmt::format("{} groups of {} ranks", *number, task.ranks));
  }
  StartingGroups groups =
      number ? StartingGroups(even_groups(task.ranks, *number)) : StartingGroups::from(run.groups);
  if (groups.ranks() != task.ranks) {
    throw std::invalid_argument(
        fmt::format("groups of {} ranks in a run of {}", groups.ranks(), task.ranks));
  }
  if (groups.largest() != run.group_size) {
    throw std::invalid_argument(
        fmt::format("the largest group has {} ranks, not {}", groups.largest(), run.group_size));
  }
  return groups;
}

int smallest_group(const Task& task) {
  const Run& run = task.run();
  if (const auto number = number_of_groups(run.groups)) return task.ranks / *number;
  if (!run.equal_groups_at_start()) return starting_groups(task).smallest();
  const int last = task.ranks % run.group_size;  // size of the last group if it is smaller
  return last == 0 ? run.group_size : last;
}

std::size_t walkers_of(const Task& task) {
  const Run& run = task.run();
  const WalkerNames names = names_of(task);
  const std::int64_t groups = names.groups();
  const std::int64_t walkers =
      run.walkers_in_all > 0 ? run.walkers_in_all : groups * run.walkers_per_group;
  if (walkers < groups) {
    throw std::invalid_argument(
        fmt::format("{} walkers in all are too few for {} groups, each of which begins with one",
                    walkers, groups));
  }
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(most_walkers, names.most()));
  if (walkers > std::max(groups, most)) {
    throw std::invalid_argument(fmt::format("{} walkers for groups of {} are too many; allowed: {}",
                                            walkers, run.group_size, most));
  }
  return static_cast<std::size_t>(walkers);
}

Items initial_items(const Task& task) {
  Items items = items_of_workload(task);
  for (std::int64_t& one : items) one += task.run().extra_items;
  return items;
}

std::int64_t numbers_in_draws(const Task& task) {
  const Run& run = task.run();
  if (run.report_every == 0) return 0;
  std::int64_t draws = 0;
  for (const std::int64_t items : items_of_workload(task)) {
    draws += std::max<std::int64_t>(0, items - warm_up_of(run)) / run.thin;
  }
  return draws * static_cast<std::int64_t>(run.walker->quantities.size());
}

ReportPlan report_plan_of(const Task& task) {
  const Run& run = task.run();
  const bool keeps = run.keep_draws == "auto" ? numbers_in_draws(task) <= most_kept_numbers
                                              : run.keep_draws == "true";
  return {run.report_every, run.thin, warm_up_of(run), keeps};
}

std::string problem_of(std::span<const std::int64_t> items) {
  return hash_text(fmt::format("{}", fmt::join(items, " ")));
}

bool heeds_wants(const Task& task) { return task.run().balancer->start == Start::idle; }

Wants initial_wants(const Task& task) {
  const auto& entry = task.run().wants;
  Wants wants = entry->of(entry.options, groups_of_walkers(task), task.stream());
  const auto most = std::ranges::max_element(wants);
  if (*most > task.ranks && entry->name != "group_size") {
    throw std::invalid_argument(
        fmt::format("a walker wants {} ranks; allowed: at most {}, all ranks", *most, task.ranks));
  }
  for (int& wanted : wants) wanted = std::min(wanted, task.ranks);
  return wants;
}

namespace {

double true_item_s(const Run& run) {
  return (run.true_item_ms > 0 ? run.true_item_ms : run.item_ms) / 1000;
}

}  // namespace

namespace {

Speedup true_speedup(const Run& run) {
  const auto& speedup = run.true_speedup ? run.true_speedup : run.speedup;
  return speedup->make(speedup.options, true_item_s(run));
}

/// Recorded item times, converted to times on one rank.
class RecordedTimes {
 public:
  explicit RecordedTimes(const Run& run)
      : recording_(run.workload->recording(run.workload.options)), speedup_(true_speedup(run)) {
    double sum_s = 0;
    double items = 0;
    for (const Recording::Chain& chain : recording_->chains()) {
      for (const Recording::Stretch& stretch : chain) {
        items += static_cast<double>(stretch.items);
        sum_s += static_cast<double>(stretch.items) * alone_s(stretch);
      }
    }
    mean_s_ = sum_s / items;
  }

  double mean_s() const { return mean_s_; }

  /// Returns the time of the last `items` of each chain on one rank.
  std::vector<double> seconds(std::span<const std::int64_t> items) const {
    std::vector<double> all(items.size());
    for (std::size_t chain = 0; chain < std::min(all.size(), recording_->chains().size());
         ++chain) {
      for (const Recording::Stretch& stretch : recording_->last(chain, items[chain])) {
        all[chain] += static_cast<double>(stretch.items) * alone_s(stretch);
      }
    }
    return all;
  }

  ItemTime item_time(const Task& task) const {
    const double alone_s = speedup_(1);
    return {[*this, alone_s](int ranks) { return mean_s_ * (speedup_(ranks) / alone_s); },
            task.run().jitter, task.stream(),
            [*this, names = names_of(task)](int walker, std::int64_t items_left) {
              const auto chain = static_cast<std::size_t>(names.number(walker));
              return this->alone_s(recording_->stretch(chain, items_left)) / mean_s_;
            }};
  }

 private:
  double alone_s(const Recording::Stretch& stretch) const {
    return stretch.seconds * (speedup_(1) / speedup_(stretch.ranks));
  }

  std::shared_ptr<const Recording> recording_;
  Speedup speedup_;
  double mean_s_ = 0;
};

}  // namespace

ItemTime item_time_of(const Task& task) {
  const Run& run = task.run();
  if (run.workload->recording != nullptr) return RecordedTimes(run).item_time(task);
  return {true_speedup(run), run.jitter, task.stream()};
}

ItemTime believed_time_of(const Task& task) {
  const Run& run = task.run();
  return {run.speedup->make(run.speedup.options, run.item_ms / 1000), 0, task.stream()};
}

double ideal_s(const Task& task, std::span<const std::int64_t> items) {
  if (task.run().workload->recording != nullptr) {
    const std::vector<double> seconds = RecordedTimes(task.run()).seconds(items);
    return std::reduce(seconds.begin(), seconds.end()) / task.ranks;
  }
  // A double is exact up to 2^53 items, and does not overflow.
  const double sum = std::accumulate(items.begin(), items.end(), 0.0);
  return sum * true_item_s(task.run()) / task.ranks;
}

double bound_s(const Task& task, std::span<const std::int64_t> items) {
  std::vector<double> all(items.begin(), items.end());
  if (task.run().workload->recording != nullptr) {
    const RecordedTimes times(task.run());
    all = times.seconds(items);
    for (double& seconds : all) seconds /= times.mean_s();
  }
  return bound_s(all, item_time_of(task), task.ranks);
}

bool has_perfect_speedup(const Task& task) {
  const Run& run = task.run();
  return (run.true_speedup ? run.true_speedup : run.speedup)->name == "perfect";
}

std::map<int, double> measured_item_s(std::span<const GroupLife> lives) {
  struct Some {
    double item_s;  // the mean
    std::int64_t items;
  };
  std::map<int, std::vector<Some>> by_ranks;
  for (const GroupLife& life : lives) {
    const std::int64_t items = life.executed_max;
    if (items == 0) continue;
    by_ranks[life.ranks.size()].push_back({life.item_s(), items});
  }
  std::map<int, double> medians;
  for (auto& [ranks, all] : by_ranks) {
    std::ranges::sort(all, {}, &Some::item_s);
    std::int64_t rest = 0;
    for (const Some& some : all) rest += some.items;
    std::int64_t below = 0;
    for (const Some& some : all) {
      below += some.items;
      if (2 * below < rest) continue;
      medians[ranks] = some.item_s;
      break;
    }
  }
  return medians;
}

namespace {

/// Returns the initial number of ranks of each walker: the sizes of the initial groups in turn, or
/// the number of ranks that it wants.
std::vector<int> ranks_of_walkers(const Task& task) {
  if (heeds_wants(task)) return initial_wants(task);
  const StartingGroups groups = starting_groups(task);
  std::vector<int> all(walkers_of(task));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = groups[i % groups.size()].size();
  return all;
}

double measured_ideal_s(const Task& task, std::span<const std::int64_t> items,
                        const std::map<int, double>& item_s) {
  const std::vector<int> ranks = ranks_of_walkers(task);
  double sum = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] == 0) continue;
    const auto known = item_s.find(ranks[i]);
    if (known == item_s.end()) return 0;
    sum += static_cast<double>(items[i]) * ranks[i] * known->second;
  }
  return sum / task.ranks;
}

}  // namespace

LeastTimes least_times(const Task& task, std::span<const std::int64_t> items,
                       std::span<const GroupLife> lives) {
  if (!task.has_own_times()) {
    return {ideal_s(task, items), bound_s(task, items)};
  }
  const std::map<int, double> item_s = measured_item_s(lives);
  LeastTimes times{measured_ideal_s(task, items, item_s), 0};
  if (item_s.size() == static_cast<std::size_t>(task.ranks)) {
    const ItemTime time([&](int ranks) { return item_s.at(ranks); }, 0, task.stream());
    times.bound_s = bound_s(items, time, task.ranks);
  }
  return times;
}

NodeMap simulated_nodes_of(const Task& task) {
  if (task.ranks_per_node == 0) return {};
  return NodeMap(simulated_nodes(task.ranks, task.ranks_per_node, task.rank_order, task.seed));
}

Costs costs_of(const Task& task) {
  const auto& model = task.run().costs;
  // Runs of other engines have no cost model: in simulations of them, communication is free.
  const Costs costs = model ? model->make(model.options, task.ranks, task.run().strategy) : Costs();
  return costs.on(simulated_nodes_of(task));
}

std::string hindrance(const BalancerEntry& balancer, const Strategy& strategy) {
  if (!strategy.serves_balancers()) {
    return fmt::format("{} cannot form the groups of a balancer", strategy.name);
  }
  if (balancer.regrouping == Regrouping::any_time && strategy.caller == Caller::parent) {
    return fmt::format(
        "{} over {} would deadlock: every rank must enter {}, but {} regroups two "
        "groups while the others work",
        balancer.name, strategy.name, strategy.name, balancer.name);
  }
  return {};
}

std::string hindrance(const BalancerEntry& balancer, const StartingGroups& groups) {
  if (balancer.shapes == Shapes::any || balancer.regrouping == Regrouping::never) return {};
  const RankSet* with_gap = groups.with_gap();
  if (with_gap == nullptr) return {};
  return fmt::format("{} forms ranges of ranks, and a group at the start is none: {}",
                     balancer.name, text_of(*with_gap));
}

std::string hindrance_to_exchanges(const BalancerEntry& balancer, std::string_view walker) {
  if (balancer.regrouping == Regrouping::in_exchanges) {
    return fmt::format(
        "{} over chains of {} would deadlock: it makes all groups wait for each other, and some "
        "wait for messages of others",
        balancer.name, walker);
  }
  if (balancer.start == Start::idle) {
    return fmt::format("{} decides which group executes which walker, but those of {} are dealt",
                       balancer.name, walker);
  }
  return {};
}

std::string hindrance_to_ending_chains(std::string_view walker) {
  return fmt::format("chains of {} wait for messages of each other: none can end alone", walker);
}

std::string hindrance(const BalancerEntry& balancer, const Chosen<WalkerEntry>& walker) {
  return exchange_messages(walker) ? hindrance_to_exchanges(balancer, walker->name) : "";
}

RunInput beginning(const Task& run, std::span<const std::int64_t> items, const Wants& wants) {
  RunInput input;
  input.groups = starting_groups(run);
  const std::size_t begun = heeds_wants(run) ? 0 : std::min(input.groups.size(), items.size());
  input.items.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begun));
  std::vector<WaitingWalker> waiting;
  for (std::size_t i = begun; i < items.size(); ++i) {
    waiting.push_back({input.groups.names().name(i), items[i], wants.empty() ? 1 : wants[i]});
  }
  input.queue = Queue(std::move(waiting), input.groups.names().turn());
  return input;
}

MessagePattern messages_between(std::span<const std::int64_t> items,
                                const std::function<std::unique_ptr<Walker>(int number)>& make) {
  std::vector<std::unique_ptr<Walker>> chains;
  for (int number = 0; number < static_cast<int>(items.size()); ++number) {
    chains.push_back(make(number));
  }
  return {items, [&](int chain, std::int64_t item) {
            return chains[static_cast<std::size_t>(chain)]->needs(item);
          }};
}

MessagePattern messages_between(const Task& task, std::span<const std::int64_t> items) {
  const auto& walker = task.run().walker;
  if (!exchange_messages(walker)) return {};
  return messages_between(items, [&](int number) {
    return walker->make(walker.options, {number, task.stream(), items});
  });
}

RunInput resolve(const Task& task) {
  const Items items = initial_items(task);
  return resolve(task, items, items);
}

RunInput resolve(const Task& task, std::span<const std::int64_t> items,
                 std::span<const std::int64_t> left) {
  const Run& run = task.run();
  RunInput input = beginning(task, left, heeds_wants(task) ? initial_wants(task) : Wants{});
  const std::string hindered = hindrance(*run.balancer.row, input.groups);
  if (!hindered.empty()) throw std::invalid_argument(hindered);
  const std::string cannot_wait = hindrance(*run.balancer.row, run.walker);
  if (!cannot_wait.empty()) throw std::invalid_argument(cannot_wait);
  if (run.errors_end_chain() && exchange_messages(run.walker)) {
    throw std::invalid_argument(hindrance_to_ending_chains(run.walker->name));
  }
  input.ranks = task.ranks;
  input.balancer = run.balancer->make(run.balancer.options);
  input.item_time = item_time_of(task);
  if (run.true_item_ms > 0 || run.true_speedup || run.workload->recording != nullptr) {
    input.believed_time = believed_time_of(task);
  }
  if (run.strategy != nullptr) input.strategy = *run.strategy;
  input.stream = task.stream();
  input.nodes = simulated_nodes_of(task);
  input.state_bytes = run.walker->state_bytes(run.walker.options);
  input.chain_items.assign(items.begin(), items.end());
  const FaultPlan plan = run.fault_plan();
  input.faults = plan.draw(task.ranks, task.stream());
  input.detection_s = plan.detection_ms / 1000;
  input.save_every = run.save_every;
  input.save_s = plan.save_ms / 1000;
  input.messages = messages_between(task, input.chain_items);
  return input;
}

Outcome simulate(const Task& task, const std::function<bool()>& stop) {
  return simulate(resolve(task), costs_of(task), stop);
}

StateFiles state_files(const Task& task, std::string directory) {
  const ReportPlan plan = report_plan_of(task);
  return {std::move(directory),
          fmt::format("{} report_every={} thin={} keep_draws={}", chains_of(task), plan.every,
                      plan.thin, plan.keep_draws)};
}

std::string chains_of(const Task& task) {
  const auto& walker = task.run().walker;
  std::string name(walker->name);
  for (const auto& [option, value] : walker.options) {
    // The hash of a file identifies it, because its path and its content may change.
    const OptionSpec* spec = find_entry(walker->options, option);
    const bool file = spec != nullptr && spec->type == OptionSpec::Type::file;
    const std::string& inputs = task.run().inputs;
    name += fmt::format(" {}={}", option, file && !inputs.empty() ? inputs : value);
  }
  return fmt::format("{} stream={}", name, task.stream());
}

Items executed_items(const Task& task, std::span<const std::int64_t> items,
                     const Outcome& outcome) {
  Items all(items.begin(), items.end());
  for (const ChainFailure& failure : outcome.failures) {
    all[static_cast<std::size_t>(failure.number)] = failure.item;
  }
  const std::int64_t resumed_items = outcome.resumed_items;
  const bool open_end = task.run().may_end_early() || task.run().walker->open_end;
  if (!open_end && resumed_items == 0) return all;
  Items executed = items_at_start(outcome.lives);
  if (executed.size() != all.size()) return all;
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (executed[i] > all[i]) return all;
    missing += all[i] - executed[i];
  }
  return (open_end ? missing < resumed_items : missing != resumed_items) ? all : executed;
}

Items needed_items(Items executed, const Outcome& outcome) {
  if (outcome.enough_items == 0 || outcome.resumed_items > 0) return executed;
  for (std::int64_t& items : executed) items = std::min(items, outcome.enough_items);
  return executed;
}

std::optional<std::size_t> first_impossible(const Task& task,
                                            std::span<const ChainReport> reports) {
  const Run& run = task.run();
  const std::size_t quantities = run.walker->quantities.size();
  const std::size_t chains = walkers_of(task);
  const auto is_possible = [&](const Moments& moments, std::int64_t samples) {
    return moments.samples == samples && samples >= 0 && moments.squared_deviations >= 0 &&
           std::isfinite(moments.mean + moments.squared_deviations);
  };
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const ChainReport& report = reports[i];
    const bool last = i + 1 == reports.size() || reports[i + 1].number != report.number;
    const bool in_order =
        last ? i + 1 == reports.size() || reports[i + 1].number > report.number
             : reports[i + 1].items > report.items && report.items % run.report_every == 0;
    const std::int64_t samples = report.samples();
    const bool possible =
        run.report_every > 0 && report.number >= 0 &&
        static_cast<std::size_t>(report.number) < chains && report.items > 0 &&
        report.quantities.size() == quantities &&
        (report.draws.empty() ||
         report.draws.size() == static_cast<std::size_t>(samples) * quantities) &&
        std::ranges::all_of(report.quantities,
                            [&](const Moments& one) { return is_possible(one, samples); }) &&
        std::ranges::all_of(report.draws, [](double number) { return std::isfinite(number); });
    if (!in_order || !possible) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> first_impossible(const Task& task,
                                            std::span<const ChainFailure> failures) {
  if (failures.empty()) return std::nullopt;
  const Items items = initial_items(task);
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const ChainFailure& failure = failures[i];
    const bool in_order = i == 0 || failure.number > failures[i - 1].number;
    if (!task.run().errors_end_chain() || failure.number < 0 || !in_order ||
        static_cast<std::size_t>(failure.number) >= items.size() || failure.item < 0 ||
        failure.item >= items[static_cast<std::size_t>(failure.number)] || failure.reason.empty()) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<std::string> first_violation(const Task& task, const Outcome& outcome,
                                           const TimeLaw* law) {
  const Items items = executed_items(task, initial_items(task), outcome);
  const RunInput start = beginning(task, items, {});
  return first_violation(outcome.lives, start.groups, start.items, law, start.queue,
                         exchange_messages(task.run().walker));
}

}  // namespace regroup
