// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/mpi/load_exchange.hpp"
#include "kernel/starting_groups.hpp"
#include "tests/mpi/fixtures.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::collect_test {
namespace {

const World& whole_world() {
  static Site site(MPI_COMM_WORLD, world().waiter);
  static const World all(site);
  return all;
}

std::vector<GroupLife> collected(const std::vector<GroupLife>& own) {
  return lives_of(collect({own, {}, {}}, whole_world(), tag_result));
}

/// Returns a rank's number of items: that of rank 3i is between those of ranks 3i + 1 and 3i + 2.
int executed_by(int rank) { return rank % 3 == 1 ? 100 - rank : 100 + rank; }

/// Returns this rank's record of its group, with its own number of items and its own times.
GroupLife life_of(const RankSet& ranks) {
  GroupLife life;
  life.ranks = ranks;
  life.walker = ranks.lo();
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
      EXPECT_EQ(lives[i].ranks, RankSet(groups[i]));
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
  GroupLife first = life_of(all_ranks());
  GroupLife second = life_of(all_ranks());
  first.executed_min = first.executed_max = 3;
  second.executed_min = second.executed_max = 4;
  second.began = Turn::regroup;
  const auto lives = collected({first, second});
  if (world().rank != 0) return;
  EXPECT_EQ(lives.size(), 2u);
  EXPECT_EQ(lives.front().executed_max, 3);
  EXPECT_FALSE(lives.front().regrouped());
  EXPECT_EQ(lives.back().executed_max, 4);
  EXPECT_TRUE(lives.back().regrouped());
}

TEST(CollectLives, TakesRanksWithDifferentNumbersOfLives) {
  std::vector<GroupLife> own;
  for (int i = 0; i <= world().rank; ++i) own.push_back(life_of({world().rank, world().rank + i}));
  const auto lives = collected(own);
  if (world().rank != 0) return;
  EXPECT_EQ(lives.size(), static_cast<std::size_t>(world().ranks * (world().ranks + 1) / 2));
}

GroupLife life_of(const RankSet& ranks, int walker, std::int64_t before, std::int64_t after,
                  double formed_s, Turn began = Turn::regroup) {
  GroupLife life = life_of(ranks);
  life.walker = walker;
  life.items_before = before;
  life.items_after = after;
  life.formed_s = formed_s;
  life.began = began;
  return life;
}

// By the leaders' clocks, each group forms before the groups that it was formed from.
TEST(CollectLives, PutsEachGroupBehindThoseThatItFormedOf) {
  const bool even = world().rank % 2 == 0;
  std::vector<GroupLife> own{life_of(all_ranks(), 0, 9, 9, 8, Turn::start),
                             life_of(all_ranks(), 0, 9, 5, 7)};
  own.push_back(even ? life_of(even_ranks(), 0, 5, 0, 4) : life_of(odd_ranks(), -1, 0, 0, 3));
  own.push_back(life_of(all_ranks(), 0, 0, 0, 2));
  const auto lives = collected(own);
  if (world().rank != 0) return;
  const std::string whole = text_of(all_ranks());
  std::vector<std::string> expected{whole + ": 0, 9 to 9", whole + ": 0, 9 to 5",
                                    text_of(even_ranks()) + ": 0, 5 to 0", whole + ": 0, 0 to 0"};
  if (world().ranks > 1) {
    expected.insert(expected.begin() + 2, text_of(odd_ranks()) + ": -1, 0 to 0");
  }
  EXPECT_EQ(told(lives), expected);
  for (const GroupLife& life : lives) {
    std::vector<std::int64_t> executed;
    for (int rank = 0; rank < world().ranks; ++rank) {
      if (life.ranks.contains(rank)) executed.push_back(executed_by(rank));
    }
    EXPECT_EQ(life.executed_min, std::ranges::min(executed));
    EXPECT_EQ(life.executed_max, std::ranges::max(executed));
    EXPECT_EQ(life.busy_until_s, 2000 + life.ranks.hi());
  }
}

// A walker moves back and forth between two groups without a common rank; the clock of its second
// group is behind that of its first group.
TEST(CollectLives, PutsEachGroupBehindWhoeverHadItsWalkerBefore) {
  if (world().ranks == 1) return;
  std::vector<GroupLife> own;
  if (world().rank % 2 == 0) {
    own = {life_of(even_ranks(), 0, 9, 7, 30, Turn::start), life_of(even_ranks(), -1, 0, 0, 31),
           life_of(even_ranks(), 0, 4, 4, 32)};
  } else {
    own = {life_of(odd_ranks(), 1, 0, 0, 10, Turn::start), life_of(odd_ranks(), 0, 7, 4, 11),
           life_of(odd_ranks(), 0, 4, 0, 12)};
  }
  const auto lives = collected(own);
  if (world().rank != 0) return;
  const std::string even = text_of(even_ranks());
  const std::string odd = text_of(odd_ranks());
  EXPECT_EQ(told(lives),
            (std::vector{odd + ": 1, 0 to 0", even + ": 0, 9 to 7", odd + ": 0, 7 to 4",
                         even + ": -1, 0 to 0", even + ": 0, 4 to 4", odd + ": 0, 4 to 0"}));
}

// The walker executes no items, so they give no order, and the clocks give a wrong one.
TEST(CollectLives, PutsGroupsThatDidNothingBehindThoseThatTheyFormedOf) {
  if (world().ranks == 1) return;
  std::vector<GroupLife> own{life_of(all_ranks(), 0, 4, 4, 0, Turn::start),
                             life_of(all_ranks(), 0, 4, 4, 20)};
  own.push_back(world().rank % 2 == 1 ? life_of(odd_ranks(), 0, 4, 4, 10)
                                      : life_of(even_ranks(), -1, 0, 0, 15));
  const auto lives = collected(own);
  if (world().rank != 0) return;
  EXPECT_EQ(
      told(lives),
      (std::vector{text_of(all_ranks()) + ": 0, 4 to 4", text_of(all_ranks()) + ": 0, 4 to 4",
                   text_of(odd_ranks()) + ": 0, 4 to 4", text_of(even_ranks()) + ": -1, 0 to 0"}));
}

TEST(Figures, AreThoseOfAllRanks) {
  RankResult own;
  own.figures.hand_over_bytes = 7 - world().rank;
  own.figures.cpu_s = 0.5 * world().rank;
  const auto all = collect(own, whole_world(), tag_result);
  double time = 0;
  world().waiter.blocking([&] { time = worst(0.5 * world().rank, MPI_COMM_WORLD); });
  EXPECT_EQ(all.size(), world().rank == 0 ? static_cast<std::size_t>(world().ranks) : 0);
  if (world().rank != 0) return;
  EXPECT_EQ(largest(all, &RankResult::Figures::hand_over_bytes), 7);
  EXPECT_EQ(sum(all, &RankResult::Figures::cpu_s), 0.25 * world().ranks * (world().ranks - 1));
  EXPECT_EQ(time, 0.5 * (world().ranks - 1));
}

std::int64_t load_of(const RankSet& group, int round) { return 1000 * round + group.lo(); }

std::vector<Group> with_loads(const std::vector<RankSet>& groups, int round) {
  std::vector<Group> all;
  for (const RankSet& group : groups) {
    all.push_back({group, {group.hi(), load_of(group, round)}, {group.size()}});
  }
  return all;
}

/// Lets the leaders of `groups` exchange loads several times in a row, as in a run.
void expect_exchanged(const std::vector<RankSet>& groups) {
  for (const RankSet& own : groups) {
    if (own.lo() != world().rank) continue;
    for (int round = 1; round <= 5; ++round) {
      const Chain chain{own.hi(), load_of(own, round)};
      EXPECT_EQ(exchange_loads(with_loads(groups, 0), own.lo(), chain, false, whole_world()),
                with_loads(groups, round));
      std::vector<Group> other_walkers = with_loads(groups, 0);
      for (Group& group : other_walkers) group.chain.walker += 100;
      EXPECT_EQ(exchange_loads(other_walkers, own.lo(), chain, true, whole_world()),
                with_loads(groups, round));
    }
  }
}

// With 8 ranks there are 8, 4, 3, 2, 2, … leaders.
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

// With 5 ranks the groups are {0, 3}, {1, 4} and {2}.
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
}  // namespace regroup::collect_test
