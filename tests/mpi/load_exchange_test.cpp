// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/load_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernel/starting_groups.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

std::int64_t load_of(const RankSet& group, int round) { return 1000 * round + group.lo(); }

std::vector<Group> with_loads(const std::vector<RankSet>& groups, int round) {
  std::vector<Group> all;
  for (const RankSet& group : groups) {
    all.push_back({group, {group.hi(), load_of(group, round)}, {group.size()}});
  }
  return all;
}

/// The leaders of `groups` exchange loads a few times in a row, as a run does.
void expect_exchanged(const std::vector<RankSet>& groups) {
  for (const RankSet& own : groups) {
    if (own.lo() != world().rank) continue;
    for (int round = 1; round <= 5; ++round) {
      const Chain chain{own.hi(), load_of(own, round)};
      EXPECT_EQ(exchange_loads(with_loads(groups, 0), own.lo(), chain, false, MPI_COMM_WORLD,
                               world().waiter),
                with_loads(groups, round));
      std::vector<Group> other_walkers = with_loads(groups, 0);
      for (Group& group : other_walkers) group.chain.walker += 100;
      EXPECT_EQ(
          exchange_loads(other_walkers, own.lo(), chain, true, MPI_COMM_WORLD, world().waiter),
          with_loads(groups, round));
    }
  }
}

// With 8 ranks these are 8, 4, 3, 2, 2, … leaders; with 5, 3, 2 and 1 ranks as many at most.
TEST(LoadExchange, TellsEveryLeaderTheLoadsOfAllFromLeftToRight) {
  for (int group_size = 1; group_size <= world().ranks; ++group_size) {
    SCOPED_TRACE(group_size);
    const std::vector<RankRange> groups = initial_groups(world().ranks, group_size);
    expect_exchanged({groups.begin(), groups.end()});
    barrier();
  }
}

TEST(LoadExchange, TakesGroupsOfUnequalSize) {
  std::vector<RankSet> groups;
  for (int lo = 0, size = 1; lo < world().ranks; lo += size++) {
    groups.push_back({lo, std::min(lo + size, world().ranks) - 1});
  }
  expect_exchanged(groups);
}

// Of 5 ranks: 0 3, 1 4 and 2.
TEST(LoadExchange, TakesGroupsWithGaps) {
  std::vector<RankSet> groups;
  for (int leader = 0; leader < std::min(3, world().ranks); ++leader) {
    std::vector<RankRange> ranges;
    for (int rank = leader; rank < world().ranks; rank += 3) ranges.push_back({rank, rank});
    groups.push_back(RankSet::of(ranges));
  }
  expect_exchanged(groups);
}

}  // namespace
}  // namespace regroup
