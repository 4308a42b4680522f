// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the overhead of the engine on MPI processes.
//
//   item/…   whole runs with equal groups of four: the makespan minus the pure time of the items,
//            per item. This includes the leader's decisions and orders, polls for requests, load
//            exchanges, waiting, and sleeps that end late.
//   short/…  whole runs of the paper's workload with items of 5 ms on one rank. After each run all
//            ranks sleep through their items of that run once more, without messages. `ratio` is
//            the median makespan divided by the median time of these sleeps.
//   round/…  whole calls of execute(Ensemble): one chain with one trivial item per rank
//   look     one poll for a request that finds none: the cost per item of a listening group
//
//   mpiexec -n 8 build/engine_micro
//
// `Time` is the mean over the runs; counters that end in `_s` are medians in seconds. The time of a
// poll is processor time, the maximum over ranks. Items of length 0 show the overhead of the engine
// itself, longer items also how late sleeps end. Waiting is as in whole runs: polite if ranks
// outnumber cores, also inside MPI if libpolite_progress.so is preloaded (`waiting: wrapper`).

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/remains.hpp"
#include "kernel/clocks/sleep.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "regroup/engine.hpp"
#include "tests/micro/balancer_choices.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

constexpr int items = 200;

Task task_of(const Chosen<BalancerEntry>& balancer, int ranks, int item_us) {
  // A serial fraction of 1 makes items equally long in all groups.
  Task task =
      with(usual_task(catalog()), {{"ranks", std::to_string(ranks)},
                                   {"item_ms", std::to_string(item_us * 1e-3)},
                                   {"speedup", "amdahl(serial_fraction=1)"},
                                   {"workload", fmt::format("constant(mean_items={})", items)}});
  task.run().balancer = balancer;
  // Groups that finish slightly earlier than others may still merge; `range` makes this cheap.
  if (balancer->regrouping != Regrouping::never) task.run().strategy = strategy("range");
  return task;
}

void item(benchmark::State& state, const Task& task) {
  std::vector<double> added;
  for (auto _ : state) {
    const Outcome outcome = execute(task, MPI_COMM_WORLD);  // complete on rank 0
    added.push_back(outcome.makespan_s() / items - task.run().item_ms * 1e-3);
    state.SetIterationTime(added.back());
  }
  state.counters["item_s"] = median(added);
}

/// Sleeps through the items of this rank in `lives`, which only rank 0 must provide. Returns the
/// time of the slowest rank in seconds; valid on rank 0.
double items_alone(const std::vector<GroupLife>& lives, const ItemTime& item_time,
                   const range::Comm& world) {
  Site site(world.parent().comm(), world.parent().waiter());
  RankResult all;
  all.lives = lives;
  State state = packed(all);
  broadcast(state, World(site), tag_result);
  all = unpacked(state);
  const auto sleep_through = [&](int) {
    for (const GroupLife& life : all.lives) {
      if (!life.ranks.contains(world.rank())) continue;
      const double item_s = item_time.seconds(life.ranks.size());
      for (std::int64_t i = 0; i < life.executed_max; ++i) sleep_for(item_s);
    }
  };
  return micro::slowest_s(world, {"items_alone_s", 1, sleep_through});
}

void short_items(benchmark::State& state, const range::Comm& world, const Task& task) {
  const ItemTime item_time = resolve(task).item_time;
  std::vector<double> runs;
  std::vector<double> alone;
  for (auto _ : state) {
    const Outcome outcome = execute(task, MPI_COMM_WORLD);  // complete on rank 0
    runs.push_back(outcome.makespan_s());
    alone.push_back(items_alone(outcome.lives, item_time, world));
    state.SetIterationTime(runs.back());
  }
  state.counters["run_s"] = median(runs);
  state.counters["items_alone_s"] = median(alone);
  state.counters["ratio"] = median(runs) / median(alone);
}

class Idle final : public Walker {
 public:
  void execute(const Item&, Team&) override {}
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}
};

void round(benchmark::State& state, const range::Comm& world, const Ensemble& ensemble) {
  const Catalog all = make_catalog();
  const auto rounds = [&](int count) {
    for (int i = 0; i < count; ++i) execute(ensemble, MPI_COMM_WORLD, all);
  };
  micro::time_in_turn(state, world, {{"round_s", 10, rounds}});
}

void look(benchmark::State& state, const range::Comm& world) {
  Outbox outbox;
  Site site(world.parent().comm(), world.parent().waiter());
  const World ranks(site);
  Mailbox mailbox(ranks, outbox);
  const auto looks = [&](int count) {
    for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(mailbox.look());
  };
  micro::time_in_turn(state, world, {{"look_s", 10'000, looks, micro::processor_time}});
}

void add_all(const range::Comm& world) {
  for (const auto& balancer : micro::balancer_choices()) {
    for (const int item_us : {0, 200}) {
      const Task task = task_of(balancer, world.size(), item_us);
      micro::add("item/" + micro::name_of(balancer) + "/item_us:" + std::to_string(item_us),
                 benchmark::kMicrosecond, 15, [=](auto& state) { item(state, task); });
    }
  }
  for (const char* const communicator : {"range", "create_group"}) {
    if (world.size() < 8) break;  // a single group has no other group to help
    Task task =
        with(usual_task(catalog()), {{"ranks", std::to_string(world.size())}, {"item_ms", "5"}});
    task.run().balancer = balancer("asynchronous");
    task.run().strategy = strategy(communicator);
    micro::add(fmt::format("short/{}", communicator), benchmark::kMillisecond, 7,
               [=](auto& state) { short_items(state, world, task); });
  }
  for (const auto& [balancer, communicator] :
       {std::pair("none", "range"), std::pair("asynchronous", "range"),
        std::pair("spread", "create_group")}) {
    Ensemble ensemble;
    ensemble.make = [](ChainName) { return std::make_unique<Idle>(); };
    ensemble.items.assign(static_cast<std::size_t>(world.size()), 1);
    ensemble.balancer = {balancer, {}};
    ensemble.strategy = communicator;
    micro::add(fmt::format("round/{}", balancer), benchmark::kMillisecond, 15,
               [=](auto& state) { round(state, world, ensemble); });
  }
  micro::add("look", benchmark::kNanosecond, 30, [=](auto& state) { look(state, world); });
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
