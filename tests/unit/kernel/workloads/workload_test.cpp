// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/workload.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "kernel/starting_groups.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

/// The items of `count` groups of four ranks: the row's fallbacks, except where `options` differ.
Items items_of(std::string_view name, int count, const Options& options = {},
               std::uint64_t seed = 1) {
  const WorkloadEntry* entry = find_entry(workloads(), name);
  Choice choice = with_fallbacks(*entry);
  for (const auto& [key, value] : options) choice.options.set(key, value);
  return entry->items(choice.options, initial_groups(4 * count, 4), seed);
}

double mean(const Items& items) {
  return static_cast<double>(std::accumulate(items.begin(), items.end(), std::int64_t{0})) /
         static_cast<double>(items.size());
}

TEST(CyclicWorkload, IsThePapersSequence) {
  EXPECT_THAT(items_of("cyclic", 10), ElementsAre(0, 40, 80, 120, 160, 200, 240, 280, 0, 40));
}

TEST(CyclicLiteralWorkload, TakesTheModulusLast) {
  EXPECT_THAT(items_of("cyclic_literal", 6), ElementsAre(0, 8, 16, 24, 0, 8));
}

TEST(ConstantWorkload, GivesEveryGroupAsMuch) {
  EXPECT_THAT(items_of("constant", 3, {{"mean_items", "7"}}), ElementsAre(7, 7, 7));
}

TEST(SingleWorkload, GivesAllToTheGroupThatItNames) {
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "first"}}),
              ElementsAre(10, 0, 0, 0, 0));
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "middle"}}),
              ElementsAre(0, 0, 10, 0, 0));
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "last"}}),
              ElementsAre(0, 0, 0, 0, 10));
  EXPECT_THAT(items_of("single", 1, {{"mean_items", "2"}, {"long_group", "middle"}}),
              ElementsAre(2));
}

TEST(BlocksWorkload, GivesAllToTheGroupsAtOneEnd) {
  EXPECT_THAT(items_of("blocks", 4,
                       {{"mean_items", "3"}, {"long_fraction", "0.5"}, {"long_side", "right"}}),
              ElementsAre(0, 0, 6, 6));
  EXPECT_THAT(
      items_of("blocks", 4, {{"mean_items", "3"}, {"long_fraction", "0.5"}, {"long_side", "left"}}),
      ElementsAre(6, 6, 0, 0));
}

TEST(BlocksWorkload, RoundsToTheNearestNumberOfLongChains) {
  EXPECT_THAT(items_of("blocks", 4, {{"mean_items", "2"}, {"long_fraction", "0.375"}}),
              ElementsAre(0, 0, 4, 4));
  EXPECT_THAT(items_of("blocks", 4, {{"mean_items", "2"}, {"long_fraction", "0.3"}}),
              ElementsAre(0, 0, 0, 8));
}

TEST(BlocksWorkload, LosesNoItemWhereTheyDoNotDivide) {
  EXPECT_THAT(
      items_of("blocks", 5, {{"mean_items", "2"}, {"long_fraction", "0.6"}, {"long_side", "left"}}),
      ElementsAre(4, 3, 3, 0, 0));
}

TEST(BlocksWorkload, HasOneLongChainAtLeast) {
  EXPECT_THAT(items_of("blocks", 3, {{"mean_items", "2"}, {"long_fraction", "0"}}),
              ElementsAre(0, 0, 6));
}

class RandomWorkload : public testing::TestWithParam<const char*> {};

TEST_P(RandomWorkload, HasTheMeanThatIsAskedFor) {
  for (const int wanted : {20, 1000}) {
    const Items items = items_of(GetParam(), 100'000, {{"mean_items", std::to_string(wanted)}});
    EXPECT_NEAR(mean(items), wanted, 0.03 * wanted);
    EXPECT_GE(*std::ranges::min_element(items), 0);
  }
}

TEST_P(RandomWorkload, HasNoItemsWithMeanZero) {
  EXPECT_THAT(items_of(GetParam(), 50, {{"mean_items", "0"}}), testing::Each(0));
}

TEST_P(RandomWorkload, DependsOnTheSeed) {
  EXPECT_EQ(items_of(GetParam(), 50, {}, 1), items_of(GetParam(), 50, {}, 1));
  EXPECT_NE(items_of(GetParam(), 50, {}, 1), items_of(GetParam(), 50, {}, 2));
}

TEST_P(RandomWorkload, KeepsItsFirstGroupsWhenTheRunGrows) {
  Items longer = items_of(GetParam(), 50);
  longer.resize(10);
  EXPECT_EQ(items_of(GetParam(), 10), longer);
}

INSTANTIATE_TEST_SUITE_P(Each, RandomWorkload,
                         testing::Values("uniform", "exponential", "lognormal", "pareto"),
                         [](const auto& test) { return std::string(test.param); });

TEST(UniformWorkload, ReachesFromZeroToTwiceTheMean) {
  const Items items = items_of("uniform", 10'000, {{"mean_items", "5"}});
  EXPECT_EQ(*std::ranges::min_element(items), 0);
  EXPECT_EQ(*std::ranges::max_element(items), 10);
}

TEST(LognormalWorkload, IsConstantWithoutDeviation) {
  EXPECT_THAT(items_of("lognormal", 20, {{"mean_items", "9"}, {"log_stdev", "0"}}),
              testing::Each(9));
}

TEST(ParetoWorkload, HasASmallestValueAndAHeavyTail) {
  const Items items = items_of("pareto", 10'000, {{"mean_items", "300"}, {"tail_exponent", "1.5"}});
  EXPECT_EQ(*std::ranges::min_element(items), 100);
  EXPECT_GT(*std::ranges::max_element(items), 10'000);
}

// One draw in a billion, found by trying seeds: 2·10^16 items.
TEST(ParetoWorkload, IsCutWhereSumsWouldNoLongerBeWholeNumbers) {
  EXPECT_THAT(items_of("pareto", 1, {{"mean_items", "1000000000"}, {"tail_exponent", "1.01"}},
                       1'075'020'372),
              ElementsAre(1'000'000'000'000'000));
}

// These must be the same on every machine.
TEST(RandomWorkloads, HaveTheseItems) {
  EXPECT_THAT(items_of("uniform", 6), ElementsAre(139, 146, 271, 35, 132, 213));
  EXPECT_THAT(items_of("exponential", 6), ElementsAre(96, 103, 468, 19, 89, 200));
  EXPECT_THAT(items_of("lognormal", 6), ElementsAre(84, 90, 517, 27, 79, 172));
  EXPECT_THAT(items_of("pareto", 6), ElementsAre(111, 113, 320, 89, 108, 149));
}

// Every row that needs no file, whatever the number of groups.
TEST(EveryWorkload, GivesEachGroupItemsNotBelowZero) {
  for (const WorkloadEntry& entry : workloads()) {
    const Choice choice = with_fallbacks(entry);
    if (choice.options.size() != entry.options.size()) continue;
    for (const int ranks : {1, 2, 3, 7, 64, 1023}) {
      const auto groups = initial_groups(ranks, 4);
      const Items items = entry.items(choice.options, groups, 1);
      EXPECT_EQ(items.size(), groups.size()) << entry.name;
      EXPECT_THAT(items, testing::Each(testing::Ge(0))) << entry.name;
    }
  }
}

}  // namespace
}  // namespace regroup
