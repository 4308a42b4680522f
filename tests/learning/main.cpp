// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "tests/learning/cases.hpp"

int main(int argc, char** argv) {
  CLI::App app(
      "Draws runs with a true and a believed speed-up. Prints a row for each, with the makespans\n"
      "of none, of spread, and of a spread that believes the truth, and then quantiles of their\n"
      "ratios.");
  int number = 300;
  std::uint64_t seed = 1;
  app.add_option("NUMBER", number, "of runs")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("SEED", seed, "of the draw")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto cases = regroup::learning_cases(number, seed);
  std::vector<regroup::LearningTimes> times(cases.size());
  {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([&] {
        for (std::size_t one = next++; one < cases.size(); one = next++)
          times[one] = execute(cases[one]);
      });
    }
  }
  fmt::print(
      "truth,believed,workload,jitter,ranks,group_size,loads,seed,none_s,learnt_s,informed_s\n");
  std::vector<double> to_none;
  std::vector<double> to_informed;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& one = cases[i];
    const auto& [none_s, learnt_s, informed_s] = times[i];
    fmt::print("{},{},{},{},{},{},{},{},{},{},{}\n", one.truth, one.believed, one.workload,
               one.jitter, one.ranks, one.group_size, one.loads, one.seed, none_s, learnt_s,
               informed_s);
    to_none.push_back(learnt_s / none_s);
    to_informed.push_back(learnt_s / informed_s);
  }
  const auto quantile = [](std::vector<double> values, double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  for (const auto& [name, values] : {std::pair("none", to_none), {"informed", to_informed}}) {
    fmt::print(stderr, "learnt / {}: median {:.3f}, 95 % {:.3f}, worst {:.3f}\n", name,
               quantile(values, 0.5), quantile(values, 0.95), quantile(values, 1));
  }
}
