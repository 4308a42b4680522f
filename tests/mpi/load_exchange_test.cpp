// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/load_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernel/groups.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

std::int64_t load_of(RankRange group, int round) { return 1000 * round + group.lo; }

/// The leaders of `groups` exchange loads a few times in a row, as a run does.
void expect_exchanged(const std::vector<RankRange>& groups) {
  std::vector<KnownGroup> known;
  for (const RankRange group : groups) known.push_back({group, group.hi});
  for (const RankRange own : groups) {
    if (own.lo != world().rank) continue;
    for (int round = 1; round <= 5; ++round) {
      const std::vector<GroupLoad> loads =
          exchange_loads(known, own, load_of(own, round), MPI_COMM_WORLD, world().waiter);
      EXPECT_EQ(loads.size(), groups.size());
      for (std::size_t i = 0; i < std::min(loads.size(), groups.size()); ++i) {
        EXPECT_EQ(loads[i].ranks, groups[i]);
        EXPECT_EQ(loads[i].walker, groups[i].hi);
        EXPECT_EQ(loads[i].items_left, load_of(groups[i], round));
      }
    }
  }
}

// With 8 ranks these are 8, 4, 3, 2, 2, … leaders; with 5, 3, 2 and 1 ranks as many at most.
TEST(LoadExchange, TellsEveryLeaderTheLoadsOfAllFromLeftToRight) {
  for (int group_size = 1; group_size <= world().ranks; ++group_size) {
    SCOPED_TRACE(group_size);
    expect_exchanged(initial_groups(world().ranks, group_size));
    barrier();
  }
}

TEST(LoadExchange, TakesGroupsOfUnequalSize) {
  std::vector<RankRange> groups;
  for (int lo = 0, size = 1; lo < world().ranks; lo += size++) {
    groups.push_back({lo, std::min(lo + size, world().ranks) - 1});
  }
  expect_exchanged(groups);
}

}  // namespace
}  // namespace regroup
