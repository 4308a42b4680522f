// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/exploration/check_balancer.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>

#include "jobs/configuration/reader.hpp"
#include "jobs/exploration/random_scenario.hpp"
#include "jobs/exploration/small_runs.hpp"
#include "jobs/words/console.hpp"
#include "jobs/words/did_you_mean.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
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
      tell("wrong: {}, with {}\n{}\n", name_of_variant(balancer), describe(runs), *seen.violation);
      return false;
    }
    states += seen.states;
    steps += seen.steps;
    ++tried;
  }
  tell("right: {}: {} states, {} steps, up to {}", name_of_variant(balancer), states, steps,
       describe(all[tried - 1]));
  tell("{}\n", tried == all.size() ? "" : "; the next were left out for want of time");
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
    tell("wrong: {}\nit ended its process: signal {}\n", words_of(done + 1), WTERMSIG(status));
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
        tell("wrong: {}\n{}\n", words_of(run), *fault);
        end(1);
      }
      if (write(pipe, "", 1) != 1) end(1);
    }
    tell("right: {} random runs in virtual time, of up to {} ranks\n", number_, most_ranks);
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
  tell("{}\n", right ? fmt::format("{} is right in all that was tried", entry.name)
                     : fmt::format("{} is wrong", entry.name));
  return right ? 0 : 1;
}

}  // namespace regroup
