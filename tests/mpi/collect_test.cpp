// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/collect.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/groups.hpp"
#include "kernel/mpi/stage/surroundings.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

std::vector<GroupLife> collected(const std::vector<GroupLife>& own) {
  std::vector<GroupLife> lives;
  world().waiter.blocking([&] { lives = collect_lives(own, MPI_COMM_WORLD); });
  return lives;
}

/// What a rank executed: of three neighbours the first is neither the least nor the most.
int executed_by(int rank) { return rank % 3 == 1 ? 100 - rank : 100 + rank; }

/// What this rank says of its group: its own number of items, and its own time.
GroupLife life_of(RankRange ranks) {
  GroupLife life;
  life.ranks = ranks;
  life.walker = ranks.lo;
  life.items_before = 100;
  life.executed_min = life.executed_max = executed_by(world().rank);
  life.formed_s = 1000 + world().rank;
  life.busy_until_s = 2000 + world().rank;
  return life;
}

TEST(CollectLives, GivesOneLifeForEachGroupWithTheExtremesOverItsMembers) {
  for (const int size : {1, 2, 3}) {
    const auto groups = initial_groups(world().ranks, size);
    const auto lives = collected({life_of(groups[static_cast<std::size_t>(world().rank / size)])});
    if (world().rank != 0) {
      EXPECT_TRUE(lives.empty());
      continue;
    }
    EXPECT_EQ(lives.size(), groups.size());
    for (std::size_t i = 0; i < std::min(lives.size(), groups.size()); ++i) {
      EXPECT_EQ(lives[i].ranks, groups[i]);
      std::vector<std::int64_t> executed;
      for (int r = groups[i].lo; r <= groups[i].hi; ++r) executed.push_back(executed_by(r));
      EXPECT_EQ(lives[i].executed_min, std::ranges::min(executed));
      EXPECT_EQ(lives[i].executed_max, std::ranges::max(executed));
      EXPECT_EQ(lives[i].formed_s, 1000 + groups[i].lo) << "the leader's";
      EXPECT_EQ(lives[i].busy_until_s, 2000 + groups[i].hi) << "the last member's";
    }
  }
}

TEST(CollectLives, KeepsApartTheLivesOfAGroupThatRegroupsWithItself) {
  const RankRange all{0, world().ranks - 1};
  GroupLife first = life_of(all);
  GroupLife second = life_of(all);
  first.executed_min = first.executed_max = 3;
  second.executed_min = second.executed_max = 4;
  second.regrouped = true;
  const auto lives = collected({first, second});
  if (world().rank != 0) return;
  EXPECT_EQ(lives.size(), 2u);
  EXPECT_EQ(lives.front().executed_max, 3);
  EXPECT_FALSE(lives.front().regrouped);
  EXPECT_EQ(lives.back().executed_max, 4);
  EXPECT_TRUE(lives.back().regrouped);
}

TEST(CollectLives, TakesRanksWithDifferentNumbersOfLives) {
  std::vector<GroupLife> own;
  for (int i = 0; i <= world().rank; ++i) own.push_back(life_of({world().rank, world().rank + i}));
  const auto lives = collected(own);
  if (world().rank != 0) return;
  EXPECT_EQ(lives.size(), static_cast<std::size_t>(world().ranks * (world().ranks + 1) / 2));
}

// All ranks of the tests run on this machine.
TEST(SurveyHosts, CountsTheCoresOfAHostOnceAndTellsEverybodyWhetherItIsCrowded) {
  Hosts hosts;
  world().waiter.blocking([&] { hosts = survey_hosts(MPI_COMM_WORLD); });
  const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(hosts.cores, cores);
  EXPECT_EQ(hosts.crowded, world().ranks > cores);
}

TEST(Largest, IsTheLargestOfAllRanks) {
  int result = 0;
  world().waiter.blocking([&] { result = largest(7 - world().rank, MPI_COMM_WORLD); });
  if (world().rank == 0) {
    EXPECT_EQ(result, 7);
  }
}

}  // namespace
}  // namespace regroup
