// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "balancers/balancers.hpp"
#include "balancers/coordinator.hpp"
#include "balancers/speed_model.hpp"
#include "tests/decisions.hpp"
#include "tests/learning/cases.hpp"
#include "tests/long_tests.hpp"

namespace regroup::learning_test {
namespace {

std::string name_of(const LearningCase& one) {
  return fmt::format("{} believed to be {}, {}, jitter {}, {} ranks, G {}, loads {}, seed {}",
                     one.truth, one.believed, one.workload, one.jitter, one.ranks, one.group_size,
                     one.loads, one.seed);
}

// Random true and believed speed-ups. Few of the largest runs: they take long.
TEST(Spread, LearnsWhatRanksAreWorth) {
  std::vector<double> to_informed;
  std::size_t largest_runs = long_tests() ? 5 : 0;
  for (const LearningCase& one : learning_cases(long_tests() ? 300 : 40, 1)) {
    if (one.ranks > 1024) {
      if (largest_runs == 0) continue;
      --largest_runs;
    }
    const LearningTimes times = execute(one);
    EXPECT_LE(times.learnt_s, 1.05 * times.none_s) << name_of(one);
    EXPECT_LE(times.informed_s, 1.05 * times.none_s) << name_of(one);
    to_informed.push_back(times.learnt_s / times.informed_s);
  }
  std::ranges::sort(to_informed);
  EXPECT_LE(to_informed[to_informed.size() / 2], 1.03);
  EXPECT_LE(to_informed[to_informed.size() * 95 / 100], 1.10);
}

// Regression cases in which the last trial gave no result: its chain ended, ranks joined or left
// meanwhile, or too few items had been measured before it.
TEST(Spread, TriesAgainWhatToldNothing) {
  for (const LearningCase& one : std::initializer_list<LearningCase>{
           {"best at 4", "overhead", "uniform(mean_items=140)", 0.2, 32, 4, "known", 191},
           {"best at 4", "amdahl 20 %", "single(long_group=first mean_items=140)", 0.2, 1024, 1,
            "known", 44},
           {"slower from 2 on", "best at 4", "single(long_group=first mean_items=140)", 0.2, 32, 4,
            "unknown", 335},
           {"slower from 2 on", "perfect", "single(long_group=first mean_items=140)", 0.2, 1024, 4,
            "unknown", 543},
           {"slower from 2 on", "perfect", "exponential(mean_items=140)", 0, 1024, 4, "known", 639},
           {"slower from 2 on", "perfect", "lognormal(mean_items=140)", 0.2, 1024, 4, "unknown",
            40},
           {"slower from 2 on", "steps at node size", "pareto(mean_items=140)", 0.2, 32, 4, "known",
            935}}) {
    const LearningTimes times = execute(one);
    EXPECT_LE(times.learnt_s, 1.05 * times.none_s) << name_of(one);
    EXPECT_LE(times.learnt_s, 1.10 * times.informed_s) << name_of(one);
  }
}

// Regression cases: a chain grew in many small steps without a result, nearby or larger sizes were
// compared repeatedly although much smaller or larger ones were better, or a size was compared with
// one that had not been measured.
TEST(Spread, ComparesSizesThatAreFarApart) {
  for (const LearningCase& one : std::initializer_list<LearningCase>{
           {"best at 4", "overhead", "lognormal(mean_items=140)", 0.2, 32, 1, "known", 275},
           {"best at 4", "amdahl 5 %", "lognormal(mean_items=140)", 0.2, 32, 1, "known", 831},
           {"slower from 2 on", "amdahl 1 %", "exponential(mean_items=140)", 0.2, 32, 4, "known",
            533},
           {"steps at node size", "slower from 2 on", "lognormal(mean_items=140)", 0, 1024, 4,
            "unknown", 479},
           {"slower from 2 on", "amdahl 20 %", "cyclic(multiplier=10 modulus=32)", 0.2, 32, 4,
            "unknown", 411},
           {"best at 4", "slower from 2 on", "cyclic(multiplier=10 modulus=32)", 0, 1024, 1,
            "known", 622}}) {
    const LearningTimes times = execute(one);
    EXPECT_LE(times.learnt_s, 1.05 * times.none_s) << name_of(one);
    EXPECT_LE(times.learnt_s, 1.10 * times.informed_s) << name_of(one);
  }
}

// Either all groups believe that more ranks help, or all believe that they do not.
TEST(Spread, LearnsFromOneGroup) {
  LearningCase one{
      "slower from 2 on", "perfect", "exponential(mean_items=140)", 0, 1024, 1, "known", 1};
  for (const std::string_view loads : {"known", "unknown"}) {
    one.loads = loads;
    for (const auto& [truth, believed] :
         {std::pair("slower from 2 on", "perfect"), {"perfect", "slower from 2 on"}}) {
      one.truth = truth;
      one.believed = believed;
      const LearningTimes times = execute(one);
      EXPECT_LE(times.learnt_s, 1.10 * times.informed_s) << name_of(one);
    }
  }
}

// Items are slower on the four ranks of each group than they would be on one.
TEST(Spread, MakesGroupsSmallerThanAtTheStart) {
  const LearningTimes times =
      execute({"slower from 2 on", "perfect", "constant(mean_items=400)", 0, 64, 4, "known", 1});
  EXPECT_LE(times.learnt_s, 0.65 * times.none_s);
}

// Groups still work although their predicted ends have passed.
TEST(Coordinator, LeavesEachGroupARank) {
  const Group idle{RankSet(0, 1), {0, 0}, {}};
  Knowledge known{idle, 8, second_per_item, {}};
  Coordinator rank_0;
  rank_0.read({report, 0, idle.ranks, {0, 0}}, known);
  for (const auto& [walker, items] : {std::pair(2, 6), {4, 12}, {6, 3}})
    rank_0.read({report, walker, RankSet(walker, walker + 1), {walker, items}}, known);
  known.elapsed_s = 3;  // they need 3, 6 and 1.5 s
  int orders = 0;
  for (const Outgoing& order : rank_0.answers(known)) {
    if (order.message.word != shrink) continue;
    ++orders;
    EXPECT_GE(order.message.numbers[0], 1);
  }
  EXPECT_GT(orders, 0);
}

// Three groups of one rank on two cores.
TEST(Coordinator, HelpsNoGroupWhileOthersNeedAllCores) {
  const Group working{RankSet(0, 0), {0, 100}, {}};
  Knowledge known{working, 3, second_per_item, {}};
  known.cores = 2;
  Coordinator rank_0;
  for (const auto& [walker, items] : {std::pair(0, 100), {1, 60}, {2, 20}})
    rank_0.read({report, walker, RankSet(walker, walker), {walker, items}}, known);
  const auto ranks_helping = [&](int walker) {
    rank_0.read({request, walker, RankSet(walker, walker), {walker, 1, Chain::none, Chain::none}},
                known);
    std::int64_t ranks = 0;
    for (const Outgoing& answer : rank_0.answers(known)) {
      if (answer.message.word == last_help) ranks += answer.message.numbers[1];
    }
    return ranks;
  };
  EXPECT_EQ(ranks_helping(2), 0);
  EXPECT_EQ(ranks_helping(1), 1);
}

// Items take half as long once the helper waits.
TEST(Spread, ComparesWithItemsWhileHelpersWait) {
  const Group group{RankSet(1, 1), {1, 200}, {}};
  Knowledge known{group, 16, second_per_item, {}};
  known.cores = 16;
  Spread rules;
  rules.decide(known);
  known.measured.add(1, 100, 2.0);
  known.message = Message{here, 2, RankSet(2, 2), {1}};
  rules.decide(known);
  known.message.reset();
  EXPECT_TRUE(std::holds_alternative<Work>(rules.decide(known).next));
  known.measured.add(1, 30, 1.0);
  const Decision decision = rules.decide(known);
  ASSERT_TRUE(std::holds_alternative<Regroup>(decision.next));
  ASSERT_EQ(decision.send.size(), 1u);
  const Message::Numbers& told = decision.send.front().message.numbers;
  EXPECT_EQ(told[3], 30);
  EXPECT_NEAR(value_of(told[4]), std::log(1.0), 1e-5);
}

TEST(ItemTimes, LeaveOutEarlierOnes) {
  ItemTimes times{2};
  times.add(2, 10, 3.0);
  times.add(2, 10, 5.0);
  const ItemTimes earlier = times;
  ItemTimes later{2};
  for (const double item_s : {1.0, 2.0, 1.5}) {
    times.add(2, 4, item_s);
    later.add(2, 4, item_s);
  }
  const ItemTimes rest = times.since(earlier);
  EXPECT_EQ(rest.items, later.items);
  EXPECT_EQ(rest.stretches, later.stretches);
  EXPECT_NEAR(rest.log_mean, later.log_mean, 1e-12);
  EXPECT_NEAR(rest.squared_deviations, later.squared_deviations, 1e-12);
}

TEST(SizeComparison, IsDecidedByWhatExceedsNoise) {
  const auto comparison = [](std::int64_t items, double log_ratio, double variance) {
    return SizeComparison{1, 2, 100, items, log_ratio, variance};
  };
  EXPECT_TRUE(comparison(1, 0.5, 0.01).is_slower());
  EXPECT_FALSE(comparison(1, 0.3, 0.04).is_decided());
  EXPECT_TRUE(comparison(8, 0.3, 0.04).is_slower());
  EXPECT_FALSE(comparison(16, 0.02, 1e-6).is_slower()) << "less than 3 %";
  EXPECT_TRUE(comparison(1, -0.5, 0.01).is_faster());
  EXPECT_TRUE(comparison(SizeComparison::enough, 0, 1).is_decided()) << "more would tell little";
}

TEST(SizeComparison, CountsStretchesOfItemsOnce) {
  ItemTimes before{1};
  before.add(1, 100, 1);
  ItemTimes now{2};
  now.add(2, 1, std::exp(0.7));
  const SizeComparison one = compared(before, now, {2});
  EXPECT_DOUBLE_EQ(one.log_ratio, 0.7);
  EXPECT_GT(one.error(), 0.1) << "two stretches tell nothing of noise";
  const ItemTimes told = now;
  now.add(2, 3, std::exp(0.3));
  EXPECT_DOUBLE_EQ(compared(before, now, told).log_ratio, 0.3) << "only what is new";
  EXPECT_EQ(compared(before, now, told).items, 3);
}

SpeedModel model_of(std::initializer_list<std::pair<int, double>> ratios_to_one,
                    const Forecast& believed) {
  SpeedModel model{1};
  model.unit_s = 1;
  for (const auto& [ranks, ratio] : ratios_to_one)
    model.add({1, ranks, 100, 100, std::log(ratio), 1e-6}, believed);
  return model;
}

TEST(SpeedModel, BelievesUntilItIsTaught) {
  const SpeedModel nothing{1};
  EXPECT_NEAR(nothing.log_time(8, second_per_item), std::log(1.0 / 8), 1e-12);
  EXPECT_EQ(nothing.trusted(second_per_item), 1);
}

TEST(SpeedModel, ForecastsNoTimeWhereItemsAreBelievedToTakeNone) {
  const Forecast free{[](int) { return 0.0; }, [](int) { return 0.0; }, [](int) { return 0.0; }};
  SpeedModel model;
  EXPECT_EQ(model.log_time(4, free), 0);
  model.fit(2, -14, free);
  EXPECT_GT(model.forecast(free).item_s(4), 0);
}

TEST(SpeedModel, CorrectsWhatIsBelievedByWhatWasMeasured) {
  const SpeedModel model = model_of({{2, 0.6}, {4, 0.4}}, second_per_item);
  EXPECT_NEAR(model.log_time(2, second_per_item), std::log(0.6), 1e-3);
  EXPECT_NEAR(model.log_time(4, second_per_item), std::log(0.4), 1e-3);
  const double three = std::exp(model.log_time(3, second_per_item));
  EXPECT_TRUE(0.4 < three && three < 0.6) << three;
  const double eight = std::exp(model.log_time(8, second_per_item));
  EXPECT_TRUE(0.2 < eight && eight < 0.4) << eight;
  EXPECT_EQ(model.best(second_per_item), 4);
  EXPECT_EQ(model.trusted(second_per_item), 8);
}

TEST(SpeedModel, TrustsNoSizeBeyondOneThatIsSlower) {
  const SpeedModel model = model_of({{2, 0.6}, {4, 0.8}}, second_per_item);
  EXPECT_EQ(model.best(second_per_item), 2);
  EXPECT_EQ(model.trusted(second_per_item), 2);
  EXPECT_EQ(model.above(second_per_item), 16) << "which may be faster again";
}

TEST(SpeedModel, IsNotCertainOfASizeThatWasNotCompared) {
  SpeedModel model = model_of({{2, 0.5}, {4, 0.3}}, second_per_item);
  const double four = model.log_time(4, second_per_item);
  model.add({5, 6, 6, 1, 0.8, 0.04}, second_per_item);
  EXPECT_FALSE(model.knows(5));
  EXPECT_TRUE(model.knows(6));
  EXPECT_EQ(model.best(second_per_item), 4);
  model.add({20, 4, 30, 30, 1, 0.04}, second_per_item);
  EXPECT_NEAR(model.log_time(4, second_per_item), four, 0.05);
}

TEST(SpeedModel, TriesSizesThatDifferClearlyFromTheBestOne) {
  const SpeedModel model = model_of({{15, 0.10}, {18, 0.12}}, second_per_item);
  EXPECT_EQ(model.best(second_per_item), 15);
  EXPECT_EQ(model.above(second_per_item), 72);
}

TEST(SpeedModel, MeasuresAgainWhatIsInDoubt) {
  SpeedModel model{1};
  model.unit_s = 1;
  model.add({1, 2, 4, SizeComparison::enough, 0.08, 0.04}, second_per_item);
  EXPECT_EQ(model.best(second_per_item), 2) << "slower by 8 %, but with an error of 10 %";
  EXPECT_EQ(model.below(second_per_item), 1);
  model.add({1, 2, 100, 100, 0.08, 0.04}, second_per_item);
  EXPECT_EQ(model.best(second_per_item), 1);
}

TEST(SpeedModel, IsNeverFasterThanInProportion) {
  const Forecast slower{[](int ranks) { return 1.0 * ranks; }, [](int) { return 0.0; },
                        [](int) { return 0.0; }};
  const SpeedModel model = model_of({{2, 0.5}, {4, 0.25}}, slower);
  EXPECT_GE(model.log_time(64, slower), std::log(1.0 / 64) - 1e-9);
}

}  // namespace
}  // namespace regroup::learning_test
