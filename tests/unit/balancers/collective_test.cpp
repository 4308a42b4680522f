// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/collective.hpp"

#include <gmock/gmock.h>

namespace regroup {
namespace {

using testing::ElementsAre;

std::unique_ptr<Balancer> every(int items) {
  return make_collective({{"interval", std::to_string(items)}});
}

Knowledge group(RankRange ranks, std::int64_t items_left) {
  Knowledge known;
  known.group = ranks;
  known.ranks = 16;
  known.walker = ranks.lo;
  known.items_left = items_left;
  return known;
}

const Decision exchange{Exchange{}, {}};

Decision work(std::int64_t items) { return {Work{items, false}, {}}; }

TEST(Collective, WorksForAnIntervalAndThenExchanges) {
  const auto balancer = every(16);
  EXPECT_EQ(balancer->decide(group({4, 7}, 40)), work(16));
  EXPECT_EQ(balancer->decide(group({4, 7}, 24)), exchange);
  EXPECT_EQ(balancer->decide(group({4, 7}, 24)), work(16));
}

TEST(Collective, WorksByIntervalsAsTheFirstAndAsTheLastGroup) {
  EXPECT_EQ(every(16)->decide(group({0, 7}, 40)), work(16));
  EXPECT_EQ(every(16)->decide(group({8, 15}, 40)), work(16));
}

TEST(Collective, DoesOnlyWhatIsLeft) { EXPECT_EQ(every(16)->decide(group({4, 7}, 5)), work(5)); }

TEST(Collective, WaitsInTheExchangeWithoutWork) {
  const auto balancer = every(16);
  EXPECT_EQ(balancer->decide(group({4, 7}, 0)), exchange);
  EXPECT_EQ(balancer->decide(group({4, 7}, 0)), exchange);
}

TEST(Collective, FinishesItsWorkInOneGoWhenNoOtherGroupIsLeft) {
  const auto balancer = every(16);
  EXPECT_EQ(balancer->decide(group({0, 15}, 40)), work(40));
}

TEST(Collective, RegroupsOnceMoreWhenTheLastGroupCameToBeBeforeItsWorkWasDone) {
  const auto balancer = every(16);
  balancer->decide(group({0, 15}, 40));
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{Merge{{0, 15}, 0, 0}, {}}));
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{Stop{}, {}}));
}

TEST(Collective, StopsAfterTheExchangeInWhichNothingWasLeft) {
  const auto balancer = every(16);
  balancer->decide(group({0, 7}, 0));
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{Stop{}, {}}));
}

TEST(CollectivePartition, JoinsARunOfIdleGroupsToTheFirstWorkingGroupOnItsRight) {
  const GroupLoad loads[]{{{0, 3}, 0}, {{4, 7}, 0}, {{8, 11}, 5}, {{12, 15}, 2}};
  EXPECT_THAT(every(1)->partition(loads), ElementsAre(RankRange{0, 11}, RankRange{12, 15}));
}

TEST(CollectivePartition, LeavesIdleGroupsOnTheRightAsTheyAre) {
  const GroupLoad loads[]{{{0, 3}, 5}, {{4, 7}, 0}, {{8, 15}, 0}};
  EXPECT_THAT(every(1)->partition(loads),
              ElementsAre(RankRange{0, 3}, RankRange{4, 7}, RankRange{8, 15}));
}

TEST(CollectivePartition, JoinsAllWhenNothingIsLeftAnywhere) {
  const GroupLoad loads[]{{{0, 3}, 0}, {{4, 7}, 0}, {{8, 15}, 0}};
  EXPECT_THAT(every(1)->partition(loads), ElementsAre(RankRange{0, 15}));
}

TEST(CollectivePartition, LeavesGroupsWithWorkAsTheyAre) {
  const GroupLoad loads[]{{{0, 3}, 1}, {{4, 15}, 1}};
  EXPECT_THAT(every(1)->partition(loads), ElementsAre(RankRange{0, 3}, RankRange{4, 15}));
}

}  // namespace
}  // namespace regroup
