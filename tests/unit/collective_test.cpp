// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "balancers/balancers.hpp"
#include "tests/decisions.hpp"

namespace regroup::collective_test {
namespace {

using testing::ElementsAre;

std::unique_ptr<Balancer> every(int items) {
  return make_collective({{"exchange_interval", std::to_string(items)}});
}

Group of(RankRange ranks, std::int64_t items_left, int walker) {
  return {ranks, {walker, items_left}, {}};
}
Group of(RankRange ranks, std::int64_t items_left) { return of(ranks, items_left, ranks.lo); }

Known group(RankRange ranks, std::int64_t items_left) { return {of(ranks, items_left), {}}; }

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
  EXPECT_EQ(every(16)->decide(group({4, 7}, 5)), work(5));
}

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
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{merged({0, 15}, {0, 0}), {}}));
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{Stop{}, {}}));
}

TEST(Collective, StopsAfterTheExchangeInWhichNothingWasLeft) {
  const auto balancer = every(16);
  balancer->decide(group({0, 7}, 0));
  EXPECT_EQ(balancer->decide(group({0, 15}, 0)), (Decision{Stop{}, {}}));
}

std::vector<Group> plan(std::vector<Group> groups) {
  return every(1)->plan(groups, second_per_item);
}

TEST(CollectivePlan, JoinsIdleGroupsToTheFirstWorkingGroupOnTheirRight) {
  EXPECT_THAT(plan({of({0, 3}, 0), of({4, 7}, 0), of({8, 11}, 5), of({12, 15}, 2)}),
              ElementsAre(of({0, 11}, 5, 8), of({12, 15}, 2)));
  EXPECT_THAT(plan({of({0, 3}, 0, 2), of({4, 15}, 5, 9)}), ElementsAre(of({0, 15}, 5, 9)));
}

TEST(CollectivePlan, LeavesOtherGroupsAsTheyAre) {
  EXPECT_THAT(plan({of({0, 3}, 5), of({4, 7}, 0), of({8, 15}, 0)}),
              ElementsAre(of({0, 3}, 5), of({4, 7}, 0), of({8, 15}, 0)));
  EXPECT_THAT(plan({of({0, 3}, 1), of({4, 15}, 1)}), ElementsAre(of({0, 3}, 1), of({4, 15}, 1)));
}

TEST(CollectivePlan, JoinsAllWhenNothingIsLeftAnywhere) {
  EXPECT_THAT(plan({of({0, 3}, 0), of({4, 7}, 0), of({8, 15}, 0)}), ElementsAre(of({0, 15}, 0, 8)));
}

Known with(std::int64_t items_left) { return {{{4, 7}, {4, items_left}, {}}, {}}; }

TEST(None, ExecutesAllItemsInOneGoAndStops) {
  EXPECT_EQ(make_none({})->decide(with(280)), (Decision{Work{280, false}, {}}));
  EXPECT_EQ(make_none({})->decide(with(1)), (Decision{Work{1, false}, {}}));
  EXPECT_EQ(make_none({})->decide(with(0)), (Decision{Stop{}, {}}));
}

}  // namespace
}  // namespace regroup::collective_test
