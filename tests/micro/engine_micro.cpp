// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine on MPI processes adds to an item.
//
//   item/…   whole runs of equal groups of four: the makespan without the pure time of the items,
//            for one item. Everything between items is in it: the leader's decision and order,
//            looks for requests, exchanges of loads, waiting, and items that end late.
//   short/…  the paper's workload with T = 5 ms, and after each run its items alone: every rank
//   sleeps
//            through those that it took part in, without a message. `ratio` is that of the medians
//            of both makespans: what all else than the end of sleeps costs
//   round/…  whole calls of execute(Ensemble): a chain of one trivial item for each rank
//   look     one look for a request where there is none: what a listening group pays for each item
//
//   mpiexec -n 8 build/engine_micro
//
// `Time` is the mean over the runs; what ends in `_s` are medians in seconds. A
// look's is processor time, the maximum over ranks. Items of no length tell what the engine itself
// takes, longer ones also how late sleeps end. Waiting is as in whole runs: polite where ranks
// outnumber cores, also inside MPI where libpolite_progress.so is preloaded (`waiting: wrapper`).

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/mpi/mailbox.hpp"
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
  // Items take equally long in all groups.
  Task task =
      with(usual_task(catalog()), {{"ranks", std::to_string(ranks)},
                                   {"item_ms", std::to_string(item_us * 1e-3)},
                                   {"speedup", "amdahl(serial_fraction=1)"},
                                   {"workload", fmt::format("constant(mean_items={})", items)}});
  task.run().balancer = balancer;
  // Groups that end a little earlier than others may still merge: that must cost next to nothing.
  if (balancer->regrouping != Regrouping::never) task.run().strategy = strategy("range");
  return task;
}

void item(benchmark::State& state, const Task& task) {
  std::vector<double> added;
  for (auto _ : state) {
    const Outcome outcome = execute(task, MPI_COMM_WORLD);  // whole on rank 0
    added.push_back(outcome.makespan_s() / items - task.run().item_ms * 1e-3);
    state.SetIterationTime(added.back());
  }
  state.counters["item_s"] = median(added);
}

/// How often a rank slept for the time of an item of so many ranks, one after the other.
struct Sleeps {
  std::int64_t items;
  std::int64_t ranks;
};

/// Of every rank in `lives`, which are on rank 0: those of this one.
std::vector<Sleeps> scattered(const std::vector<GroupLife>& lives, MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<std::vector<Sleeps>> of_ranks(static_cast<std::size_t>(ranks));
  for (const GroupLife& life : lives) {
    if (life.executed_max == 0) continue;
    for (const RankRange range : life.ranks.ranges()) {
      for (int one = range.lo; one <= range.hi; ++one)
        of_ranks[static_cast<std::size_t>(one)].push_back({life.executed_max, life.ranks.size()});
    }
  }
  std::vector<int> bytes;
  std::vector<int> begins;
  std::vector<Sleeps> all;
  for (const auto& one : of_ranks) {
    bytes.push_back(static_cast<int>(one.size() * sizeof(Sleeps)));
    begins.push_back(static_cast<int>(all.size() * sizeof(Sleeps)));
    all.insert(all.end(), one.begin(), one.end());
  }
  int own_bytes = 0;
  MPI_Scatter(bytes.data(), 1, MPI_INT, &own_bytes, 1, MPI_INT, 0, comm);
  std::vector<Sleeps> own(static_cast<std::size_t>(own_bytes) / sizeof(Sleeps));
  MPI_Scatterv(all.data(), bytes.data(), begins.data(), MPI_BYTE, own.data(), own_bytes, MPI_BYTE,
               0, comm);
  return own;
}

/// Seconds from a common start until the last rank has slept. Valid on rank 0.
double sleep_through(const std::vector<Sleeps>& own, const ItemTime& item_time) {
  constexpr double until_all_sleep_s = 0.05;
  double start = read_clock(CLOCK_MONOTONIC) + until_all_sleep_s;
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  sleep_for(start - read_clock(CLOCK_MONOTONIC));
  for (const Sleeps& sleeps : own) {
    const double item_s = item_time.seconds(static_cast<int>(sleeps.ranks));
    for (std::int64_t i = 0; i < sleeps.items; ++i) sleep_for(item_s);
  }
  const double took = read_clock(CLOCK_MONOTONIC) - start;
  double longest = took;
  MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return longest;
}

/// All ranks on one host, which share its clock.
void short_items(benchmark::State& state, const Task& task) {
  const ItemTime item_time = resolve(task).item_time;
  std::vector<double> runs;
  std::vector<double> alone;
  for (auto _ : state) {
    const Outcome outcome = execute(task, MPI_COMM_WORLD);
    runs.push_back(outcome.makespan_s());
    alone.push_back(sleep_through(scattered(outcome.lives, MPI_COMM_WORLD), item_time));
    state.SetIterationTime(runs.back());
  }
  state.counters["run_s"] = median(runs);
  state.counters["items_alone_s"] = median(alone);
  state.counters["ratio"] = median(runs) / median(alone);
}

/// A chain that does nothing.
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
    if (world.size() < 8) break;  // in the only group there is nothing to balance
    Task task =
        with(usual_task(catalog()), {{"ranks", std::to_string(world.size())}, {"item_ms", "5"}});
    task.run().balancer = balancer("asynchronous");
    task.run().strategy = strategy(communicator);
    micro::add(fmt::format("short/{}", communicator), benchmark::kMillisecond, 7,
               [=](auto& state) { short_items(state, task); });
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
