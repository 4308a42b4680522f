// SPDX-License-Identifier: BSD-3-Clause
//
// Measures rounds of a pool (regroup/pool.hpp).
//
//   trivial    a round of 32 tasks that do nothing
//   gaining    8 tasks of lognormal cost (σ = 1) that sleep and have a perfect speed-up
//   alone      the same, but without any speed-up
//
//   mpiexec -n 4 build/pool_micro
//
// `Time` is the mean time of a round, `round_s` the median in seconds. For tasks that sleep, each
// iteration draws new costs and executes six rounds in a new pool: `ratio` is the median quotient
// of the sixth round, when costs are known, and the first, which has one rank per task, in order.
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "kernel/clocks/sleep.hpp"
#include "regroup/numbers.hpp"
#include "regroup/pool.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

struct Sleep {
  double seconds = 0;
  bool shared = false;  ///< whether the members of the group divide the time
};

State sleep(std::span<const std::byte> task, Team& team) {
  if (task.empty()) return {};
  const auto asked = Unpacker(task).take<Sleep>();
  sleep_for(asked.shared ? asked.seconds / team.size() : asked.seconds);
  return {};
}

/// Calls `use` on rank 0, with a pool that all other ranks serve.
template <class Use>
void with_pool(Use use) {
  Pool pool(MPI_COMM_WORLD, sleep);
  if (!pool.is_master()) return pool.serve();
  use(pool);
}

void trivial(benchmark::State& state) {
  const std::vector<State> tasks(32);
  std::vector<double> round_s;
  with_pool([&](Pool& pool) {
    for (auto _ : state) {
      pool.map(tasks);
      round_s.push_back(pool.last_round().seconds);
      state.SetIterationTime(round_s.back());
    }
  });
  if (!round_s.empty()) state.counters["round_s"] = median(round_s);
  while (round_s.empty() && state.KeepRunning()) state.SetIterationTime(1);  // only rank 0 reports
}

/// Returns eight tasks with a mean duration of about 80 ms.
std::vector<State> drawn(std::uint64_t draw, bool shared) {
  std::vector<State> tasks;
  for (std::uint64_t task = 0; task < 8; ++task) {
    const double normal = standard_normal(random_bits(1, Purpose::chain, draw, task));
    Packer(tasks.emplace_back()).put(Sleep{0.05 * std::exp(normal), shared});
  }
  return tasks;
}

void lognormal(benchmark::State& state, bool shared) {
  constexpr int rounds = 6;
  std::uint64_t draw = 0;
  std::vector<double> last_s;
  std::vector<double> ratios;
  for (auto _ : state) {
    const std::vector<State> tasks = drawn(draw++, shared);
    double seconds = 1;
    with_pool([&](Pool& pool) {
      pool.map(tasks);
      const double first_s = pool.last_round().seconds;
      for (int round = 1; round < rounds; ++round) pool.map(tasks);
      seconds = pool.last_round().seconds;
      last_s.push_back(seconds);
      ratios.push_back(seconds / first_s);
    });
    state.SetIterationTime(seconds);
  }
  if (last_s.empty()) return;
  state.counters["round_s"] = median(last_s);
  state.counters["ratio"] = median(ratios);
}

void add_all(const range::Comm&) {
  micro::add("trivial", benchmark::kMillisecond, 200, trivial);
  micro::add("gaining", benchmark::kMillisecond, 20, [](auto& state) { lognormal(state, true); });
  micro::add("alone", benchmark::kMillisecond, 20, [](auto& state) { lognormal(state, false); });
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
