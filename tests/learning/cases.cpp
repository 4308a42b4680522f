// SPDX-License-Identifier: BSD-3-Clause
#include "tests/learning/cases.hpp"

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

#include "engines/virtual/engine.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

constexpr double item_s = 0.1;  // on one rank

double doublings(int ranks) { return std::log2(ranks); }

double amdahl(double serial, int ranks) { return serial + (1 - serial) / ranks; }

/// Time of an item on a number of ranks, relative to its time on one rank.
struct TrueSpeedup {
  std::string_view name;
  double (*time)(int ranks);
};

constexpr std::array truths{
    TrueSpeedup{"perfect", [](int ranks) { return 1.0 / ranks; }},
    TrueSpeedup{"amdahl 1 %", [](int ranks) { return amdahl(0.01, ranks); }},
    TrueSpeedup{"amdahl 5 %", [](int ranks) { return amdahl(0.05, ranks); }},
    TrueSpeedup{"amdahl 20 %", [](int ranks) { return amdahl(0.2, ranks); }},
    TrueSpeedup{"overhead", [](int ranks) { return 1.0 / ranks + 0.01 + 0.01 * doublings(ranks); }},
    TrueSpeedup{
        "slower from 2 on",
        [](int ranks) { return ranks == 1 ? 1.0 : 1.5 * std::pow(1.2, doublings(ranks) - 1); }},
    TrueSpeedup{"best at 4",
                [](int ranks) {
                  return ranks <= 4 ? amdahl(0.2, ranks)
                                    : amdahl(0.2, 4) * std::pow(1.3, doublings(ranks) - 2);
                }},
    // Nodes have 16 ranks.
    TrueSpeedup{"steps at node size",
                [](int ranks) {
                  return ranks <= 16 ? amdahl(0.01, ranks)
                                     : amdahl(0.01, 16) * 1.5 * std::pow(ranks / 16.0, -0.3);
                }},
};

constexpr std::array<std::string_view, 7> loads_of_walkers{
    "cyclic(multiplier=10 modulus=32)",
    "constant(mean_items=140)",
    "single(long_group=first mean_items=140)",
    "uniform(mean_items=140)",
    "exponential(mean_items=140)",
    "lognormal(mean_items=140)",
    "pareto(mean_items=140)"};

ItemTime time_of(std::string_view name, double jitter, std::uint64_t stream) {
  for (const TrueSpeedup& truth : truths) {
    if (truth.name != name) continue;
    return {[time = truth.time](int ranks) { return item_s * time(ranks); }, jitter, stream};
  }
  throw std::invalid_argument(std::string(name));
}

double makespan_s(const LearningCase& one, const std::string& balancer, std::string_view believed) {
  const Task task = virtual_run({{"ranks", std::to_string(one.ranks)},
                                 {"group_size", std::to_string(one.group_size)},
                                 {"workload", std::string(one.workload)},
                                 {"seed", std::to_string(one.seed)},
                                 {"costs", "cluster"},
                                 {"balancer", balancer},
                                 {"communicator", balancer == "none" ? "" : "create_group"}});
  RunInput run = resolve(task);
  run.item_time = time_of(one.truth, one.jitter, run.stream);
  run.believed_time = time_of(believed, 0, run.stream);
  return simulate(run, costs_of(task)).makespan_s();
}

}  // namespace

std::vector<std::string_view> speedups_to_learn() {
  std::vector<std::string_view> names;
  for (const TrueSpeedup& truth : truths) names.push_back(truth.name);
  return names;
}

std::vector<LearningCase> learning_cases(int number, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto one_of = [&](const auto& values) { return values[random() % values.size()]; };
  std::vector<LearningCase> cases;
  for (int i = 0; i < number; ++i) {
    LearningCase one;
    one.truth = one_of(truths).name;
    one.believed = one_of(truths).name;
    one.workload = one_of(loads_of_walkers);
    one.jitter = one_of(std::array{0.0, 0.2});
    one.ranks = one_of(std::array{32, 1024, 8192});
    one.group_size = one_of(std::array{1, 4});
    one.loads = one_of(std::array<std::string_view, 2>{"known", "unknown"});
    one.seed = random() % 1000 + 1;
    cases.push_back(one);
  }
  return cases;
}

LearningTimes execute(const LearningCase& one) {
  const std::string spread = "spread(loads=" + std::string(one.loads) + ")";
  return {makespan_s(one, "none", one.truth), makespan_s(one, spread, one.believed),
          makespan_s(one, spread, one.truth)};
}

}  // namespace regroup
