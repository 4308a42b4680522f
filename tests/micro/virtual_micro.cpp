// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the speed of the virtual engine: whole runs of the paper's workload, without MPI and
// without communication costs.
//
//   build/virtual_micro [--benchmark_filter=asynchronous]
//
// `Time` is the time per run. `events_per_second` counts the events taken from the engine's queue,
// and `item_s` is the time of a run divided by the number of items, in seconds. Both are based on
// processor time. The engine processes items of equal length in batches; with `jitter` each item
// has its own length.

#include <benchmark/benchmark.h>

#include <numeric>

#include "engines/virtual/engine.hpp"
#include "library/resolve.hpp"
#include "tests/micro/balancer_choices.hpp"

namespace {

using namespace regroup;

void whole_run(benchmark::State& state, const Task& task) {
  using benchmark::Counter;
  std::uint64_t events = 0;
  for (auto _ : state) {
    const Outcome outcome = simulate(task);
    events = outcome.events;
  }
  const std::vector<std::int64_t> groups = initial_items(task);
  const auto items = std::accumulate(groups.begin(), groups.end(), std::int64_t{0});
  state.counters["events_per_second"] =
      Counter(static_cast<double>(events), Counter::kIsIterationInvariantRate);
  state.counters["item_s"] =
      Counter(static_cast<double>(items), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void add_run(const Chosen<BalancerEntry>& balancer, int ranks, double jitter) {
  Task task = virtual_run({{"ranks", std::to_string(ranks)},
                           {"jitter", std::to_string(jitter)},
                           {"workload", "cyclic(multiplier=10 modulus=32)"}});
  choose_balancer(task, balancer);
  const std::string name =
      micro::name_of(balancer) + (jitter > 0 ? "/jitter" : "") + "/ranks:" + std::to_string(ranks);
  benchmark::RegisterBenchmark(name.c_str(), [=](auto& state) {
    whole_run(state, task);
  })->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& balancer : micro::balancer_choices()) {
    for (const int ranks : {32, 1024, 32768}) add_run(balancer, ranks, 0);
    add_run(balancer, 1024, 0.2);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
