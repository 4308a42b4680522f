// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the creation and freeing of a communicator.
//
//   range_comm      range::Comm::range, the value itself
//   subset          range::Comm::subset of N ranges, of which the last contains all remaining
//                   ranks, compared with MPI_Comm_create_group of the same ranks
//   parent          a Site: the additional cost of using ranges on an MPI communicator
//   create_group    MPI_Comm_create_group, compared with the strategy `range`, both as the engine
//                   calls them: all ranks form disjoint groups of N members at the same time
//   memory          memory per rank of a communicator of all ranks: `create_group_bytes`,
//                   `dup_bytes`, …; mean of 256 communicators, maximum over ranks
//
//   mpiexec -n 16 build/creation_micro
//
// One iteration is a batch of each; its time is the maximum over ranks. `create_group_s`, `range_s`
// and `parent_s` are medians in seconds, and `ratio` is the time of create_group over that of a
// range. Ranges and Sites are created without communication: their times are processor time.
// MPI_Comm_create_group waits inside MPI: if ranks outnumber cores, this is polite only with
// libpolite_progress.so preloaded (`waiting: wrapper`), as in whole runs.

#include <malloc.h>

#include <algorithm>
#include <string>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/options.hpp"
#include "regroup/strategy.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

constexpr int batch = 100'000;

void range_comm(benchmark::State& state, const range::Comm& world, int stride) {
  const auto make_and_free = [&](int count) {
    for (int i = 0; i < count; ++i) {
      range::Comm comm = world.range(0, world.size() - 1, stride);
      benchmark::DoNotOptimize(comm);
    }
  };
  micro::time_in_turn(state, world, {{"range_s", batch, make_and_free, micro::processor_time}});
}

/// Returns ranges of two ranks that skip every third rank; the last range has no gap.
std::vector<RankRange> with_gaps(int ranges, int ranks) {
  std::vector<RankRange> all;
  for (int i = 0; i < ranges; ++i) all.push_back({3 * i, 3 * i + 1});
  all.back().hi = ranks - 1;
  return all;
}

micro::Timed timed(const char* strategy, int times, clockid_t clock, Site& parent,
                   const Members& members) {
  const auto make_and_free = [=, &parent,
                              make = find_entry(strategies(), strategy)->make](int count) {
    parent.waiter().blocking([&] {
      for (int i = 0; i < count && members.index_of(parent.rank()) >= 0; ++i) {
        GroupComm comm = make(parent, members, 0);
        benchmark::DoNotOptimize(comm);
      }
    });
  };
  return {std::string(strategy) + "_s", times, make_and_free, clock};
}

void subset(benchmark::State& state, const range::Comm& world, int ranges) {
  Site site(world.parent().comm(), world.parent().waiter());
  const range::Comm all = site.all();
  const std::vector<RankRange> members = with_gaps(ranges, world.size());
  const auto make_and_free = [&](int count) {
    for (int i = 0; i < count; ++i) {
      range::Comm comm = all.subset(members);
      benchmark::DoNotOptimize(comm);
    }
  };
  micro::time_in_turn(
      state, world,
      {{"subset_s", batch, make_and_free, micro::processor_time},
       timed("create_group", 10, CLOCK_MONOTONIC, site, members_of(RankSet::of(members)))});
}

void parent(benchmark::State& state, const range::Comm& world) {
  const auto make_and_free = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Site made(world.parent().comm(), world.parent().waiter());
      benchmark::DoNotOptimize(made.size());
    }
  };
  micro::time_in_turn(state, world,
                      {{"parent_s", batch / 10, make_and_free, micro::processor_time}});
}

void strategies_beside(benchmark::State& state, const range::Comm& world, int size) {
  const int lo = world.rank() / size * size;
  const RankRange members{lo, std::min(lo + size, world.size()) - 1};
  Site site(world.parent().comm(), world.parent().waiter());
  micro::time_in_turn(state, world,
                      {timed("create_group", 10, CLOCK_MONOTONIC, site, members),
                       timed("range", batch, micro::processor_time, site, members)});
}

double used_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

// MPICH allocates handles in blocks of 256 and never frees them, so all communicators stay alive.
void memory(benchmark::State& state, const range::Comm& world) {
  constexpr int block = 256;
  Site site(world.parent().comm(), world.parent().waiter());
  const RankRange everybody{0, world.size() - 1};
  std::vector<GroupComm> alive;
  alive.reserve(5 * block);
  const auto make_a_block = [&](const char* strategy) {
    site.waiter().blocking([&, make = find_entry(strategies(), strategy)->make] {
      for (int i = 0; i < block; ++i) alive.push_back(make(site, everybody, 0));
    });
  };
  for (auto _ : state) {
    const double start = read_clock(CLOCK_MONOTONIC);
    make_a_block("create_group");  // excludes allocations at the first creation
    for (const char* strategy : {"create_group", "comm_split", "dup", "range"}) {
      const double before = used_bytes();
      make_a_block(strategy);
      const double mine = (used_bytes() - before) / block + sizeof(GroupComm);
      double most = mine;
      reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, world);
      state.counters[std::string(strategy) + "_bytes"] = most;
    }
    state.SetIterationTime(read_clock(CLOCK_MONOTONIC) - start);
  }
}

void add_all(const range::Comm& world) {
  for (const int stride : {1, 2}) {
    micro::add("range_comm/stride:" + std::to_string(stride), benchmark::kNanosecond, 30,
               [=](auto& state) { range_comm(state, world, stride); });
  }
  for (const int ranges : {1, 2, 4, 8, 64}) {
    if (3 * (ranges - 1) + 1 >= world.size()) break;
    micro::add("subset/ranges:" + std::to_string(ranges), benchmark::kNanosecond, 30,
               [=](auto& state) { subset(state, world, ranges); });
  }
  micro::add("parent", benchmark::kNanosecond, 30, [=](auto& state) { parent(state, world); });
  micro::add("memory", benchmark::kSecond, 1, [=](auto& state) { memory(state, world); });
  for (int size = 2;; size *= 2) {
    micro::add("create_group/members:" + std::to_string(std::min(size, world.size())),
               benchmark::kMicrosecond, 30,
               [=](auto& state) { strategies_beside(state, world, size); });
    if (size >= world.size()) break;
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
