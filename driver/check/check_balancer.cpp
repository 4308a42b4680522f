// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/check_balancer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "driver/config/reader.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Draws successive random numbers of a run.
class Dice {
 public:
  explicit Dice(std::uint64_t run) : run_(run) {}

  int from(int low, int high) {
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<int>(random_bits(1, Purpose::exploration, run_, drawn_++) % values);
  }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(from(0, static_cast<int>(std::size(list)) - 1))];
  }

 private:
  std::uint64_t run_;
  std::uint64_t drawn_ = 0;
};

template <class Row>
Chosen<Row> usual(const Row& row) {
  return {&row, with_fallbacks(row).options};
}

/// Returns whether the row needs no file.
bool is_complete(const Entry& row) {
  return std::ranges::none_of(
      row.options, [](const OptionSpec& spec) { return spec.type == OptionSpec::Type::file; });
}

template <class Rows>
auto random_row(Dice& dice, const Rows& rows) {
  for (;;) {
    const auto& row = dice.one_of(rows);
    if (is_complete(row)) return usual(row);
  }
}

void set_if_there(Options& options, const char* name, const std::string& value) {
  if (options.has(name)) options.set(name, value);
}

}  // namespace

Task random_run(std::uint64_t number, const BalancerEntry* balancer, const Catalog& catalog) {
  Dice dice(number);
  Task task = run_of(catalog, {{"engine", "virtual"}});
  Run& run = task.run();
  task.seed = number;
  task.ranks = dice.from(1, dice.from(0, 9) == 0 ? 1000 : 60);
  run.group_size = dice.from(1, 9);
  run.item_ms = dice.one_of(std::array{0.01, 1.0, 100.0});
  run.speedup = random_row(dice, catalog.speedups);
  run.jitter = dice.one_of(std::array{0.0, 0.05, 0.5, 2.0});
  run.workload = random_row(dice, catalog.workloads);
  set_if_there(run.workload.options, "mean_items", std::to_string(dice.from(0, 30)));
  run.balancer = balancer != nullptr ? usual(*balancer) : random_row(dice, catalog.balancers);
  Options& options = run.balancer.options;
  set_if_there(options, "exchange_interval", std::to_string(dice.from(1, 40)));
  set_if_there(options, "finished_groups", dice.from(0, 1) == 0 ? "release" : "merge");
  set_if_there(options, "listen_ms", dice.one_of(std::array{"0.001", "1", "50", "1000"}));
  if (dice.from(0, 2) == 0) run.walkers_per_group = dice.from(1, 5);
  if (dice.from(0, 3) == 0) {
    const int groups = dice.from(1, std::min(task.ranks, 12));
    run.groups = std::to_string(groups);
    run.group_size = (task.ranks - 1) / groups + 1;
  }
  if (balancer != nullptr && dice.from(0, 3) == 0) {
    FaultPlan plan;
    plan.mtbf_s = run.item_ms / 1000 * dice.one_of(std::array{1.0, 10.0, 50.0});
    plan.detection_ms = run.item_ms;
    run.on_rank_loss = "recover";
    run.faults = plan.text();
  }
  return task;
}

namespace {

/// Returns the values of an option that can make a difference in small runs.
std::vector<std::string> values(const OptionSpec& spec) {
  if (!spec.words.empty()) return {spec.words.begin(), spec.words.end()};
  if (spec.type == OptionSpec::Type::integer && spec.min <= 1 && spec.max >= 3) {
    return {"1", "2", "3"};
  }
  return {std::string(spec.fallback)};
}

}  // namespace

std::vector<Chosen<BalancerEntry>> variants(const BalancerEntry& entry) {
  return combinations(entry, values);
}

std::string describe(const SmallRuns& runs) {
  return fmt::format(
      "{} group{} of {}{}{}, 0 to {} item{} each{}", runs.groups, runs.groups == 1 ? "" : "s",
      runs.group_size,
      runs.larger == 0 ? "" : fmt::format(" ({} of {})", runs.larger, runs.group_size + 1),
      runs.waiting == 0
          ? ""
          : fmt::format(", {} walker{} behind", runs.waiting, runs.waiting == 1 ? "" : "s"),
      runs.most_items, runs.most_items == 1 ? "" : "s",
      runs.losses == 0 ? ""
                       : fmt::format(", {} rank{} lost", runs.losses, runs.losses == 1 ? "" : "s"));
}

const std::vector<SmallRuns>& small_runs() {
  static const std::vector<SmallRuns> all{{1, 1},
                                          {1, 3},
                                          {1, 2, 1, 2},
                                          {2, 1},
                                          {1, 3, 2},
                                          {2, 2, 1, 2},
                                          {3, 1},
                                          {2, 3},
                                          {2, 2, 2},
                                          {3, 2},
                                          {2, 1, 2, 3},
                                          {3, 3},
                                          {3, 1, 1, 2},
                                          {4, 1},
                                          {3, 1, 2},
                                          {4, 2},
                                          {2, 1, 2, 1, 1},
                                          {3, 1, 1, 0, 1},
                                          {2, 2, 2, 0, 0, 1},
                                          {2, 1, 1, 2, 0, 1},
                                          {3, 1, 1, 1, 0, 1},
                                          {3, 1, 1, 0, 0, 2}};
  return all;
}

Exploration explore(const Chosen<BalancerEntry>& balancer, const SmallRuns& runs) {
  const Options& options = balancer.options;
  const std::unique_ptr<Balancer> prototype = balancer->make(options);
  const bool idle = balancer->start == Start::idle;
  const bool prefers = options.has("prefer_own_node") && options.text("prefer_own_node") == "true";
  std::vector<int> nodes;
  for (int rank = 0; rank < runs.groups * runs.group_size + runs.larger; ++rank) {
    nodes.push_back(rank / runs.group_size % 2);
  }
  ExplorerSetup setup{runs.waiting, idle, prefers ? NodeMap(nodes) : NodeMap(), 0, runs.larger};
  setup.losses = runs.losses;
  return explore(*prototype, all_starts(runs.groups + runs.waiting, runs.most_items),
                 runs.group_size, setup);
}

namespace {

const BalancerEntry& balancer_called(const std::string& name, const Catalog& catalog) {
  const auto& balancers = catalog.balancers;
  if (const BalancerEntry* found = find_entry(balancers, name)) return *found;
  throw UserError(fmt::format("there is no balancer '{}'{}; allowed: {}", one_line(name),
                              did_you_mean(name, balancers), names(entries_of(balancers))));
}

/// Returns whether the balancer is right in every order of events of small runs.
bool explores_well(const Chosen<BalancerEntry>& balancer, double most_s) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t tried = 0;
  const std::vector<SmallRuns>& all = small_runs();
  for (const SmallRuns& runs : all) {
    const double spent_s = std::chrono::duration<double>(Clock::now() - began).count();
    if (tried > 0 && spent_s > most_s) break;
    const Exploration seen = explore(balancer, runs);
    if (seen.violation) {
      print_out("wrong: {}, with {}\n{}\n", text_of(balancer->name, balancer.options),
                describe(runs), *seen.violation);
      return false;
    }
    states += seen.states;
    steps += seen.steps;
    ++tried;
  }
  print_out("right: {}: {} states, {} steps, up to {}", text_of(balancer->name, balancer.options),
            states, steps, describe(all[tried - 1]));
  print_out("{}\n", tried == all.size()
                        ? ""
                        : "; the remaining ones were skipped because the time limit was reached");
  return true;
}

/// Describes the first error in a run, if there is one.
std::optional<std::string> fault_of(const Task& run) {
  try {
    return first_violation(run, simulate(run));
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Returns a configuration of this run alone.
std::string configuration_of(const Task& task) {
  const auto in_yaml = [](const Options& options, std::string text) {
    for (const auto& [option, value] : options) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", option, value);
    }
    return text;
  };
  const auto kind = [&](const auto& chosen) {
    return in_yaml(chosen.options, fmt::format("kind: {}", chosen->name));
  };
  const Run& run = task.run();
  const std::string options = in_yaml(run.balancer.options, "");
  const std::string groups = run.equal_groups_at_start()
                                 ? fmt::format("group_size: {}", run.group_size)
                                 : fmt::format("groups: {}", run.groups);
  return fmt::format(
      "engine: virtual\nranks: {}\n{}\nitem_ms: {}\nworkload: {{{}}}\n"
      "walkers_per_group: {}\nspeedup: {{{}}}\njitter: {}\nseed: {}\non_rank_loss: {}\nfaults: {}\n"
      "balancers: [{}]",
      task.ranks, groups, run.item_ms, kind(run.workload), run.walkers_per_group, kind(run.speedup),
      run.jitter, task.seed, run.on_rank_loss, run.faults,
      options.empty() ? std::string(run.balancer->name)
                      : fmt::format("{}: {{{}}}", run.balancer->name, options));
}

/// Returns whether `number` random runs in virtual time are right. A child process executes them,
/// since they may crash.
bool random_runs_are_right(const BalancerEntry& balancer, int number, const Catalog& catalog) {
  if (number == 0) return true;
  const auto task = [&](int run) {
    return random_run(static_cast<std::uint64_t>(run), &balancer, catalog);
  };
  const auto say_wrong = [&](int run, const std::string& what) {
    print_out("wrong: random run {}, with this configuration:\n{}\n{}\n", run,
              configuration_of(task(run)), what);
  };
  const auto all_are_right = [&](int pipe) {
    int most_ranks = 0;
    for (int run = 1; run <= number; ++run) {
      const Task drawn = task(run);
      most_ranks = std::max(most_ranks, drawn.ranks);
      if (const auto fault = fault_of(drawn)) {
        say_wrong(run, *fault);
        return false;
      }
      if (write(pipe, "", 1) != 1) return false;
    }
    print_out("right: {} random runs in virtual time, of up to {} ranks\n", number, most_ranks);
    return true;
  };
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    const bool right = all_are_right(ends[1]);
    std::fflush(stdout);
    _exit(right ? 0 : 1);
  }
  close(ends[1]);
  int done = 0;
  for (char byte = 0; read(ends[0], &byte, 1) == 1;) ++done;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0;
  say_wrong(done + 1, fmt::format("its process was killed by signal {}", WTERMSIG(status)));
  return false;
}

}  // namespace

int check_balancer(const AskedCheck& asked, const Catalog& catalog) {
  const BalancerEntry& entry = balancer_called(asked.balancer, catalog);
  bool right = true;
  for (const Chosen<BalancerEntry>& balancer : variants(entry)) {
    right = explores_well(balancer, asked.seconds) && right;
  }
  right = random_runs_are_right(entry, asked.runs, catalog) && right;
  print_out("{}: {}\n", entry.name, right ? "no error found" : "wrong");
  return right ? 0 : 1;
}

}  // namespace regroup
