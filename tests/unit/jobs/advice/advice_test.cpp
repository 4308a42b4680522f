// SPDX-License-Identifier: BSD-3-Clause
#include "driver/advise/advice.hpp"

#include <gmock/gmock.h>

namespace regroup {
namespace {

using testing::HasSubstr;

Advice advice_on(Choice workload, double item_ms = 100) {
  Problem problem;
  problem.run.engine = "virtual";
  problem.run.ranks = 32;
  problem.run.item_ms = item_ms;
  problem.run.workload = std::move(workload);
  problem.run.costs = {"cluster", {}};
  problem.streams = {{1, 1}};
  return advise(problem, [](std::string_view) {});
}

const Choice cyclic{"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
const Choice constant{"constant", {{"mean_items", "140"}}};

GroupSize size_of(int ranks, double core_ms) { return {ranks, 1, 1, core_ms}; }

TEST(Advice, OnThePapersWorkloadSavesHalfOfTheTime) {
  const Advice advice = advice_on(cyclic);
  EXPECT_NE(advice.best().entrant.balancer.name, "none");
  EXPECT_LT(advice.best().of_bound, 1.02);
  ASSERT_TRUE(advice.none());
  EXPECT_NEAR(advice.none()->of_bound, 2, 1e-5);
  const Saving saved = saving(advice.best(), *advice.none(), 32);
  EXPECT_NEAR(saved.part, 0.5, 0.01);
  EXPECT_DOUBLE_EQ(saved.core_hours, saved.seconds * 32 / 3600);
  ASSERT_TRUE(advice.runner_up());
  EXPECT_NE(advice.runner_up()->entrant.balancer.name, advice.best().entrant.balancer.name);
}

TEST(Advice, OnEqualWalkersIsNone) {
  const Advice advice = advice_on(constant);
  EXPECT_EQ(advice.best().entrant.balancer.name, "none");
  EXPECT_NEAR(advice.best().of_bound, 1, 1e-5);
  EXPECT_FALSE(advice.communicators);
  ASSERT_TRUE(advice.item_ms);
  EXPECT_FALSE(advice.item_ms->winner);
  EXPECT_EQ(advice.item_ms->holds, shortest_ms);
  EXPECT_EQ(lines_to_paste(advice), "balancers:\n  - none\n");
}

TEST(Advice, TellsHowDearACommunicatorMayBecome) {
  const Advice advice = advice_on(cyclic);
  ASSERT_TRUE(advice.communicators);
  EXPECT_TRUE(forms_communicators(advice.communicators->entrant));
  EXPECT_EQ(advice.members, 8);
  EXPECT_DOUBLE_EQ(advice.price_s(), 15e-6);
  ASSERT_TRUE(advice.dearer);
  EXPECT_GT(advice.dearer->holds, 100);
  EXPECT_THAT(as_text(advice), HasSubstr("now 15.0 µs for 8 ranks"));
}

TEST(Advice, LooksForNoShorterItemsThanAreTriedAnyway) {
  EXPECT_FALSE(advice_on(cyclic, shortest_ms).item_ms);
}

TEST(BestGroupSize, StaysAsItIsWhereLittleWouldBeSaved) {
  EXPECT_EQ(best_group_size({size_of(1, 99.1), size_of(4, 100)}, 4, 0.01), 4);
}

TEST(BestGroupSize, IsTheNearestOfThoseThatAreGood) {
  const std::vector<GroupSize> sizes{size_of(1, 90), size_of(2, 90.5), size_of(4, 100),
                                     size_of(8, 95)};
  EXPECT_EQ(best_group_size(sizes, 4, 0.01), 2);
}

TEST(BestGroupSize, IsTheConfiguredOneWhereNothingIsKnown) {
  EXPECT_EQ(best_group_size({}, 4, 0.01), 4);
}

}  // namespace
}  // namespace regroup
