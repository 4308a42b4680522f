// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "driver/advise/advice.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::advise_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Advice advice_on(const char* workload, const char* item_ms = "100") {
  Problem problem;
  problem.run = virtual_run(
      {{"ranks", "32"}, {"item_ms", item_ms}, {"workload", workload}, {"costs", "cluster"}});
  problem.streams = {{1, 1}};
  return advise(problem, catalog(), [](std::string_view) {});
}

constexpr const char* cyclic = "cyclic(multiplier=10 modulus=32)";
constexpr const char* constant = "constant(mean_items=140)";

GroupSize size_of(int ranks, double core_ms) { return {ranks, 1, 1, core_ms}; }

TEST(Advice, OnThePapersWorkloadSavesHalfOfTheTime) {
  const Advice advice = advice_on(cyclic);
  EXPECT_NE(advice.best().entrant.balancer->name, "none");
  EXPECT_LT(advice.best().of_bound, 1.02);
  ASSERT_TRUE(advice.none());
  EXPECT_NEAR(advice.none()->of_bound, 2, 1e-5);
  const Saving saved = saving(advice.best(), *advice.none(), 32);
  EXPECT_NEAR(saved.part, 0.5, 0.01);
  EXPECT_DOUBLE_EQ(saved.core_hours, saved.seconds * 32 / 3600);
  ASSERT_TRUE(advice.runner_up());
  EXPECT_NE(advice.runner_up()->entrant.balancer->name, advice.best().entrant.balancer->name);
}

TEST(Advice, OnEqualWalkersIsNone) {
  const Advice advice = advice_on(constant);
  EXPECT_EQ(advice.best().entrant.balancer->name, "none");
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
  EXPECT_FALSE(advice_on(cyclic, "0.001").item_ms);
}

TEST(BestGroupSize, IsTheNearestThatSavesMuch) {
  EXPECT_EQ(best_group_size({size_of(1, 99.1), size_of(4, 100)}, 4, 0.01), 4);
  const std::vector<GroupSize> sizes{size_of(1, 90), size_of(2, 90.5), size_of(4, 100),
                                     size_of(8, 95)};
  EXPECT_EQ(best_group_size(sizes, 4, 0.01), 2);
  EXPECT_EQ(best_group_size({}, 4, 0.01), 4);
}

std::vector<std::string> all_words() {
  std::vector<std::string> all;
  for (const Contender& contender : all_contenders(catalog())) all.push_back(words(contender));
  return all;
}

Task run() {
  return virtual_run(
      {{"ranks", "32"}, {"workload", "constant(mean_items=10)"}, {"costs", "cluster"}});
}

Contender over(const char* name, const char* communicator, const Options& options = {}) {
  return {balancer(name, options), strategy(communicator)};
}

TEST(Contenders, HaveEveryBalancerAndCanBeRun) {
  std::set<std::string_view> balancers;
  for (const Contender& contender : all_contenders(catalog())) {
    balancers.insert(contender.balancer->name);
    EXPECT_NO_THROW(resolve(run_by(contender, run()))) << words(contender);
  }
  EXPECT_EQ(balancers.size(), catalog().balancers.size());
}

TEST(Contenders, DifferInTheOptionsThatMatter) {
  const auto all = all_words();
  EXPECT_THAT(all, Contains("none"));
  for (const char* interval : {"1", "16", "64", "128"}) {
    EXPECT_THAT(all, Contains(fmt::format("collective({}) over comm_split", interval)));
  }
  EXPECT_THAT(all, Contains("asynchronous(release) over range"));
  EXPECT_THAT(all, Contains("spread(unknown) over create_group"));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

TEST(Contenders, AreRunWithStrategiesThatServeThemOnly) {
  EXPECT_THAT(all_words(), Not(Contains("asynchronous(release) over comm_split")));
  EXPECT_THAT(all_words(), Contains("spread(known) over range"));
}

TEST(Contenders, AreElementsOfTheKeyBalancers) {
  EXPECT_EQ(yaml(over("none", "")), "none");
  EXPECT_EQ(
      yaml(over("spread", "create_group", {{"loads", "known"}, {"prefer_own_node", "false"}})),
      "spread: {loads: known, prefer_own_node: false, communicator: create_group}");
}

TEST(Contenders, FormCommunicatorsOfMpiOrDoNot) {
  EXPECT_FALSE(forms_communicators(over("none", "")));
  EXPECT_FALSE(forms_communicators(over("two_sided", "range")));
  EXPECT_TRUE(forms_communicators(over("two_sided", "create_group")));
}

TEST(Entrants, AreOfEqualStrategiesTheFirst) {
  std::vector<std::string_view> strategies;
  for (const Entrant& entrant : entrants(run(), catalog()).all) {
    if (entrant.balancer->name == "two_sided") strategies.push_back(entrant.strategy->name);
  }
  EXPECT_THAT(strategies, testing::ElementsAre("create_group", "intercomm_merge",
                                               "multicommunicator", "range"));
}

/// Returns a function that has a winner only above `where`, or only below it.
auto wins_above(double where) {
  return [=](double value) { return value > where ? std::optional<std::size_t>(3) : std::nullopt; };
}
auto wins_below(double where) {
  return [=](double value) { return value < where ? std::optional<std::size_t>(5) : std::nullopt; };
}

TEST(Crossing, IsFoundToTwoPercentAndNeverBeyond) {
  for (const double where : {1.01, 2.0, 340.0, 9.9e5}) {
    const Crossing found = crossing(1, 1e6, wins_above(where));
    EXPECT_LE(found.holds, where * (1 + 1e-9));
    EXPECT_GE(found.holds, where / 1.021);
    EXPECT_EQ(found.winner, 3);
  }
}

TEST(Crossing, IsFoundDownwards) {
  const Crossing found = crossing(100, 1e-3, wins_below(0.2));
  EXPECT_GE(found.holds, 0.2 * (1 - 1e-9));
  EXPECT_LE(found.holds, 0.2 * 1.021);
  EXPECT_EQ(found.winner, 5);
}

TEST(Crossing, IsTheEndWhereNobodyWins) {
  const Crossing found = crossing(3, 1e6, wins_above(1e7));
  EXPECT_EQ(found.holds, 1e6);
  EXPECT_FALSE(found.winner);
}

TEST(Crossing, TriesTheEndItself) {
  EXPECT_TRUE(crossing(3, 20, wins_above(19.999)).winner);
  EXPECT_EQ(crossing(3, 20, wins_above(20)).holds, 20);
}

TEST(Crossing, NamesWhoWinsJustBeyond) {
  const Crossing found = crossing(1, 1e6, [](double value) -> std::optional<std::size_t> {
    if (value > 500) return 2;
    if (value > 50) return 1;
    return {};
  });
  EXPECT_EQ(found.winner, 1);
}

}  // namespace
}  // namespace regroup::advise_test
