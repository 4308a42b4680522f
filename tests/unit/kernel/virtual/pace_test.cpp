// SPDX-License-Identifier: BSD-3-Clause
//
// Four ranks execute items of 25 ms; where the group listens, an item takes a look (1 µs) and an
// order to four ranks (20 µs) more.
#include "engines/virtual/pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "library/resolve.hpp"

namespace regroup {
namespace {

constexpr Ticks item = ticks(0.025);
constexpr Ticks overhead = ticks(21e-6);

class PaceTest : public testing::TestWithParam<double> {
 protected:
  static Scenario scenario(double jitter) {
    Scenario scenario;
    scenario.engine = "virtual";
    scenario.ranks = 4;
    scenario.jitter = jitter;
    scenario.costs = {"free", {{"look_for_request_us", "1"}, {"tell_members_us", "10"}}};
    return scenario;
  }

  static Stretch stretch(std::int64_t items, bool listening = true) {
    return {.began = 1'000'000,
            .ranks = 4,
            .walker = 8,
            .items_left = 100,
            .items = items,
            .listening = listening};
  }

  Scenario scenario_ = scenario(GetParam());
  Costs costs_ = resolve_costs(scenario_);
  ItemTime time_ = resolve_item_time(scenario_);
  Pace pace_{time_, costs_};
};

class EvenPace : public PaceTest {};

TEST_P(EvenPace, AddsWhatAListeningLeaderDoesBetweenItems) {
  EXPECT_EQ(pace_.end(stretch(1)), 1'000'000 + item + overhead);
  EXPECT_EQ(pace_.end(stretch(3)), 1'000'000 + 3 * (item + overhead));
}

TEST_P(EvenPace, AddsNothingWhereNobodyListens) {
  EXPECT_EQ(pace_.end(stretch(3, false)), 1'000'000 + 3 * item);
}

TEST_P(EvenPace, PlansAllItemsAtOnce) { EXPECT_EQ(pace_.longest(1'000'000), 1'000'000); }

INSTANTIATE_TEST_SUITE_P(Pace, EvenPace, testing::Values(0.0));

class UnevenPace : public PaceTest {};

TEST_P(UnevenPace, TakesEachItemsOwnTime) {
  const ItemTime time = resolve_item_time(scenario_);
  Ticks end = 1'000'000;
  for (std::int64_t left = 100; left > 95; --left) end += ticks(time.seconds(4, 8, left) + 21e-6);
  EXPECT_EQ(pace_.end(stretch(5)), end);
}

INSTANTIATE_TEST_SUITE_P(Pace, UnevenPace, testing::Values(0.3));

class EveryPace : public PaceTest {};

TEST_P(EveryPace, StopsAtTheFirstEndOfAnItemThatIsNotBeforeTheMoment) {
  constexpr std::int64_t all = 7;
  for (std::int64_t items = 1; items <= all; ++items) {
    const Ticks end = pace_.end(stretch(items));
    EXPECT_EQ(pace_.until(end, stretch(all)).items, items);
    EXPECT_EQ(pace_.until(end - 1, stretch(all)).items, items);
    EXPECT_EQ(pace_.until(end + 1, stretch(all)).items, std::min(items + 1, all));
  }
}

TEST_P(EveryPace, ExecutesOneItemAtLeast) {
  EXPECT_EQ(pace_.until(stretch(7).began, stretch(7)).items, 1);
}

TEST_P(EveryPace, LeavesAllElseOfTheStretchAsItIs) {
  const Stretch part = pace_.until(pace_.end(stretch(2)), stretch(7));
  EXPECT_EQ(pace_.end(part), pace_.end(stretch(2)));
}

INSTANTIATE_TEST_SUITE_P(Pace, EveryPace, testing::Values(0.0, 0.3));

TEST(Pace, LetsNoItemTakeNoTime) {
  Scenario scenario;
  scenario.item_ms = 1e-12;
  const Costs costs = resolve_costs(scenario);
  const ItemTime time = resolve_item_time(scenario);
  const Pace pace(time, costs);
  EXPECT_EQ(pace.end({.began = 5, .ranks = 4, .walker = 0, .items_left = 3, .items = 3}), 8);
  EXPECT_EQ(pace.until(5, {.began = 5, .ranks = 4, .items_left = 3, .items = 3}).items, 1);
}

TEST(Ticks, AreRoundedToTheNearest) {
  EXPECT_EQ(ticks(1.6e-12), 2);
  EXPECT_EQ(ticks(1.4e-12), 1);
  EXPECT_EQ(ticks(0.1), 100'000'000'000);
  EXPECT_DOUBLE_EQ(seconds(ticks(123.456)), 123.456);
}

}  // namespace
}  // namespace regroup
