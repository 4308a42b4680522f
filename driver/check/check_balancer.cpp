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

#include "driver/config/reader.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Draws one thing after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t run) : run_(run) {}

  int from(int low, int high) {
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<int>(random_bits(1, Purpose::exploration, run_, drawn_++) % values);
  }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(from(0, static_cast<int>(std::size(list)) - 1))];
  }

 private:
  std::uint64_t run_;
  std::uint64_t drawn_ = 0;
};

Choice random_workload(Dice& dice, const Catalog& catalog) {
  for (;;) {
    const WorkloadEntry entry = dice.one_of(catalog.workloads);
    Choice choice = with_fallbacks(entry);
    if (choice.options.size() != entry.options.size()) continue;  // needs a file
    if (choice.options.has("mean_items"))
      choice.options.set("mean_items", std::to_string(dice.from(0, 30)));
    return choice;
  }
}

Choice random_balancer(Dice& dice, const std::vector<BalancerEntry>& balancers) {
  Choice choice = with_fallbacks(dice.one_of(balancers));
  if (choice.options.has("exchange_interval")) {
    choice.options.set("exchange_interval", std::to_string(dice.from(1, 40)));
  }
  if (choice.options.has("finished_groups")) {
    choice.options.set("finished_groups", dice.from(0, 1) == 0 ? "release" : "merge");
    choice.options.set("listen_ms", dice.one_of(std::array{"0.001", "1", "50", "1000"}));
  }
  return choice;
}

}  // namespace

Scenario random_scenario(std::uint64_t number, const std::vector<BalancerEntry>& balancers,
                         const Catalog& catalog) {
  Dice dice(number);
  Scenario scenario;
  scenario.engine = "virtual";
  scenario.seed = number;
  scenario.ranks = dice.from(1, dice.from(0, 9) == 0 ? 1000 : 60);
  scenario.group_size = dice.from(1, 9);
  scenario.item_ms = dice.one_of(std::array{0.01, 1.0, 100.0});
  do {
    scenario.speedup = with_fallbacks(dice.one_of(catalog.speedups));
  } while (scenario.speedup.name == "measured");  // which takes a file
  scenario.jitter = dice.one_of(std::array{0.0, 0.05, 0.5, 2.0});
  scenario.workload = random_workload(dice, catalog);
  scenario.balancer = random_balancer(dice, balancers);
  if (dice.from(0, 2) == 0) scenario.walkers_per_group = dice.from(1, 5);
  return scenario;
}

namespace {

/// What an option can be that makes a difference in small runs.
std::vector<std::string> values(const OptionSpec& spec) {
  if (!spec.words.empty()) return {spec.words.begin(), spec.words.end()};
  if (spec.type == OptionSpec::Type::integer && spec.min <= 1 && spec.max >= 3) {
    return {"1", "2", "3"};
  }
  return {std::string(spec.fallback)};
}

}  // namespace

std::vector<Choice> variants(const BalancerEntry& entry) {
  std::vector<Choice> all{{std::string(entry.name), {}}};
  for (const OptionSpec& spec : entry.options) {
    std::vector<Choice> more;
    for (const Choice& choice : all) {
      for (const std::string& value : values(spec)) {
        more.push_back(choice);
        more.back().options.set(std::string(spec.name), value);
      }
    }
    all = std::move(more);
  }
  return all;
}

std::string name_of_variant(const Choice& balancer) {
  std::vector<std::string> options;
  for (const auto& [name, value] : balancer.options) options.push_back(name + "=" + value);
  return options.empty() ? balancer.name
                         : fmt::format("{}({})", balancer.name, fmt::join(options, ", "));
}

std::string describe(const SmallRuns& runs) {
  return fmt::format("{} group{} of {}{}, 0 to {} item{} each", runs.groups,
                     runs.groups == 1 ? "" : "s", runs.group_size,
                     runs.waiting == 0 ? ""
                                       : fmt::format(", {} walker{} behind", runs.waiting,
                                                     runs.waiting == 1 ? "" : "s"),
                     runs.most_items, runs.most_items == 1 ? "" : "s");
}

const std::vector<SmallRuns>& small_runs() {
  static const std::vector<SmallRuns> all{
      {1, 1},    {1, 3}, {1, 2, 1, 2}, {2, 1}, {1, 3, 2},    {2, 2, 1, 2}, {3, 1},    {2, 3},
      {2, 2, 2}, {3, 2}, {2, 1, 2, 3}, {3, 3}, {3, 1, 1, 2}, {4, 1},       {3, 1, 2}, {4, 2}};
  return all;
}

Exploration explore(const Choice& balancer, const SmallRuns& runs, const Catalog& catalog) {
  const std::unique_ptr<Balancer> prototype = make_balancer(balancer, catalog);
  const bool idle = find_entry(catalog.balancers, balancer.name)->start == Start::idle;
  const bool prefers =
      balancer.options.has("prefer_own_node") && balancer.options.text("prefer_own_node") == "true";
  std::vector<int> nodes;
  for (int rank = 0; rank < runs.groups * runs.group_size; ++rank) {
    nodes.push_back(rank / runs.group_size % 2);
  }
  return explore(*prototype, all_starts(runs.groups + runs.waiting, runs.most_items),
                 runs.group_size, {runs.waiting, idle, prefers ? NodeMap(nodes) : NodeMap()});
}

namespace {

const BalancerEntry& balancer_called(const std::string& name, const Catalog& catalog) {
  const auto& balancers = catalog.balancers;
  if (const BalancerEntry* found = find_entry(balancers, name)) return *found;
  throw UserError(fmt::format("there is no balancer '{}'{}; allowed: {}", one_line(name),
                              did_you_mean(name, balancers), names(entries_of(balancers))));
}

/// Whether the balancer is right in every order of events of small runs.
bool explores_well(const Choice& balancer, double most_s, const Catalog& catalog) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t tried = 0;
  const std::vector<SmallRuns>& all = small_runs();
  for (const SmallRuns& runs : all) {
    const double spent_s = std::chrono::duration<double>(Clock::now() - began).count();
    if (tried > 0 && spent_s > most_s) break;
    const Exploration seen = explore(balancer, runs, catalog);
    if (seen.violation) {
      print_out("wrong: {}, with {}\n{}\n", name_of_variant(balancer), describe(runs),
                *seen.violation);
      return false;
    }
    states += seen.states;
    steps += seen.steps;
    ++tried;
  }
  print_out("right: {}: {} states, {} steps, up to {}", name_of_variant(balancer), states, steps,
            describe(all[tried - 1]));
  print_out("{}\n", tried == all.size() ? "" : "; the next were left out for want of time");
  return true;
}

/// What is wrong with a run, in words.
std::optional<std::string> fault_of(const Scenario& scenario, const Catalog& catalog) {
  try {
    return first_violation(scenario, simulate(scenario, {}, catalog).lives, nullptr, catalog);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// "kind: pareto, alpha: 2.5"
std::string options_of(const Choice& choice, std::string_view before) {
  std::string text(before);
  for (const auto& [name, value] : choice.options) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// A configuration of this run alone.
std::string configuration_of(const Scenario& run) {
  const auto kind = [](const Choice& choice) { return options_of(choice, "kind: " + choice.name); };
  const std::string options = options_of(run.balancer, "");
  return fmt::format(
      "engine: virtual\nranks: {}\ngroup_size: {}\nitem_ms: {}\nworkload: {{{}}}\n"
      "walkers_per_group: {}\nspeedup: {{{}}}\njitter: {}\nseed: {}\nbalancers: [{}]",
      run.ranks, run.group_size, run.item_ms, kind(run.workload), run.walkers_per_group,
      kind(run.speedup), run.jitter, run.seed,
      options.empty() ? run.balancer.name : fmt::format("{}: {{{}}}", run.balancer.name, options));
}

/// Random runs of a balancer, in virtual time.
class RandomRuns {
 public:
  RandomRuns(const BalancerEntry& balancer, int number, const Catalog& catalog)
      : balancer_(balancer), number_(number), catalog_(catalog) {}

  /// Whether all are right. They run in a process of their own, which may crash.
  bool run() const {
    if (number_ == 0) return true;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) run_as_child(ends[1]);
    close(ends[1]);
    int done = 0;
    for (char byte = 0; read(ends[0], &byte, 1) == 1;) ++done;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0;
    print_out("wrong: {}\nit ended its process: signal {}\n", words_of(done + 1), WTERMSIG(status));
    return false;
  }

 private:
  Scenario scenario(int run) const {
    return random_scenario(static_cast<std::uint64_t>(run), {balancer_}, catalog_);
  }

  std::string words_of(int run) const {
    return fmt::format("random run {}, which is this configuration:\n{}", run,
                       configuration_of(scenario(run)));
  }

  [[noreturn]] void run_as_child(int pipe) const {
    int most_ranks = 0;
    for (int run = 1; run <= number_; ++run) {
      const Scenario of_run = scenario(run);
      most_ranks = std::max(most_ranks, of_run.ranks);
      if (const auto fault = fault_of(of_run, catalog_)) {
        print_out("wrong: {}\n{}\n", words_of(run), *fault);
        end(1);
      }
      if (write(pipe, "", 1) != 1) end(1);
    }
    print_out("right: {} random runs in virtual time, of up to {} ranks\n", number_, most_ranks);
    end(0);
  }

  [[noreturn]] static void end(int code) {
    std::fflush(stdout);
    _exit(code);
  }

  const BalancerEntry& balancer_;
  int number_;
  const Catalog& catalog_;
};

}  // namespace

int check_balancer(const AskedCheck& asked, const Catalog& catalog) {
  const BalancerEntry& entry = balancer_called(asked.balancer, catalog);
  bool right = true;
  for (const Choice& balancer : variants(entry)) {
    right = explores_well(balancer, asked.seconds, catalog) && right;
  }
  right = RandomRuns(entry, asked.runs, catalog).run() && right;
  print_out("{}\n", right ? fmt::format("{} is right in all that was tried", entry.name)
                          : fmt::format("{} is wrong", entry.name));
  return right ? 0 : 1;
}

}  // namespace regroup
