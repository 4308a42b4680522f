// SPDX-License-Identifier: BSD-3-Clause
//
// Every workload with every balancer, on sizes that divide badly: what the audit asks of every run
// holds in virtual time.
#include "engines/virtual/engine.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "balancers/balancers.hpp"
#include "engines/virtual/pace.hpp"
#include "library/resolve.hpp"
#include "regroup/workload.hpp"

namespace regroup {
namespace {

std::optional<std::string> violation(const Scenario& scenario) {
  return first_violation(scenario, simulate(scenario).lives);
}

Choice balancer(std::string_view name,
                std::initializer_list<std::pair<const char*, const char*>> options = {}) {
  Choice choice = with_fallbacks(*find_entry(balancers(), name));
  for (const auto& [key, value] : options) choice.options.set(key, value);
  return choice;
}

/// The fallbacks of every row and what else is worth a case.
std::vector<Choice> every_balancer() {
  std::vector<Choice> choices{balancer("collective", {{"exchange_interval", "1"}}),
                              balancer("collective", {{"exchange_interval", "3"}}),
                              balancer("asynchronous", {{"finished_groups", "merge"}})};
  for (const BalancerEntry& entry : balancers()) choices.push_back(with_fallbacks(entry));
  return choices;
}

std::vector<Choice> every_workload() {
  std::vector<Choice> choices;
  for (const WorkloadEntry& entry : workloads()) {
    Choice choice = with_fallbacks(entry);
    if (choice.options.size() != entry.options.size()) continue;  // needs a file
    if (choice.options.has("mean_items")) choice.options.set("mean_items", "9");
    choices.push_back(std::move(choice));
  }
  return choices;
}

class EveryRun : public testing::TestWithParam<std::tuple<Choice, Choice, double>> {};

TEST_P(EveryRun, ExecutesEveryItemOnceAndStopsEverybody) {
  Scenario scenario;
  scenario.engine = "virtual";
  scenario.item_ms = 10;
  std::tie(scenario.workload, scenario.balancer, scenario.jitter) = GetParam();
  for (scenario.group_size = 1; scenario.group_size <= 4; ++scenario.group_size) {
    for (const int ranks : {1, 2, 3, 5, 9, 17, 33, 65}) {
      scenario.ranks = ranks;
      EXPECT_EQ(violation(scenario), std::nullopt)
          << ranks << " ranks in groups of " << scenario.group_size;
    }
  }
}

std::string name_of(const testing::TestParamInfo<EveryRun::ParamType>& test) {
  const auto& [workload, chosen, jitter] = test.param;
  std::string name = workload.name + '_' + chosen.name;
  if (chosen.options.has("exchange_interval"))
    name += '_' + chosen.options.text("exchange_interval");
  if (chosen.options.has("finished_groups")) name += '_' + chosen.options.text("finished_groups");
  if (jitter > 0) name += "_jitter";
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, EveryRun,
                         testing::Combine(testing::ValuesIn(every_workload()),
                                          testing::ValuesIn(every_balancer()),
                                          testing::Values(0.0, 0.5)),
                         name_of);

Scenario small(Choice chosen) {
  Scenario scenario;
  scenario.ranks = 8;
  scenario.workload = {"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  scenario.balancer = std::move(chosen);
  return scenario;
}

TEST(Engine, HasTheSameOutcomeEveryTime) {
  Scenario scenario = small(balancer("asynchronous", {{"finished_groups", "merge"}}));
  scenario.jitter = 0.2;
  EXPECT_EQ(to_json(simulate(scenario)), to_json(simulate(scenario)));
}

TEST(Engine, TakesTheSpeedUpModelsTime) {
  Scenario scenario = small(balancer("none"));
  scenario.speedup = {"amdahl", {{"serial_fraction", "1"}}};
  EXPECT_DOUBLE_EQ(simulate(scenario).makespan_s(), 40 * 0.1);
}

TEST(Engine, AddsUpTheTimesOfJitteredItems) {
  Scenario scenario = small(balancer("none"));
  scenario.jitter = 0.2;
  const ItemTime time = resolve(scenario).item_time;
  double sum = 0;
  for (int left = 40; left > 0; --left) sum += time.seconds(4, 4, left);
  EXPECT_NEAR(simulate(scenario).makespan_s(), sum, 40 * 1e-12);
}

TEST(Engine, EndsAWorkingGroupWithTheItemInWhichTheRequestCame) {
  // Group 0-3 has nothing to do and asks at 0 s; 4-7 is then in its first item of 25 ms.
  const Outcome outcome = simulate(small(balancer("asynchronous")));
  ASSERT_EQ(outcome.lives.size(), 3u);
  EXPECT_DOUBLE_EQ(outcome.lives[1].ended_s, 0.025);
  EXPECT_EQ(outcome.lives[1].items_after, 39);
  EXPECT_DOUBLE_EQ(outcome.lives[2].ended_s, 0.025 + 39 * 0.0125);
}

TEST(Engine, FailsWhereVirtualTimeEndsBeforeTheRun) {
  const auto ends = [](const Scenario& scenario) {
    EXPECT_THROW(simulate(scenario), VirtualTimeEnds) << to_json(scenario);
  };
  for (const Choice& chosen : every_balancer()) {
    for (const double jitter : {0.0, 0.1}) {
      Scenario scenario = small(chosen);
      scenario.jitter = jitter;
      scenario.workload = {"constant", {{"mean_items", "100000"}}};
      scenario.item_ms = 1e6;  // 100,000 times 250 s: 289 days
      ends(scenario);
      scenario.item_ms = 3e5;  // 87 days
      EXPECT_NO_THROW(simulate(scenario));
    }
  }
  Scenario item = small(balancer("none"));
  item.item_ms = 1e11;  // a single one takes longer
  ends(item);
  Scenario creation = small(balancer("asynchronous"));
  creation.communicator = "create_group";
  creation.costs = {"free", {{"group_creation_us", "1e13"}}};
  ends(creation);
  Scenario message = small(balancer("asynchronous"));
  message.costs = {"free", {{"latency_us", "1e13"}}};
  ends(message);
  Scenario exchange = small(balancer("collective", {{"exchange_interval", "1"}}));
  exchange.costs = {"free", {{"exchange_loads_us", "1e13"}}};
  ends(exchange);
}

TEST(Engine, ComesToItsEndJustBeforeVirtualTimeEnds) {
  Scenario scenario = small(balancer("none"));  // 40 items of a quarter of item_ms
  scenario.item_ms = seconds(last_tick) * 1000 / 40 * 4 * (1 - 1e-9);
  EXPECT_NEAR(simulate(scenario).makespan_s() / seconds(last_tick), 1, 1e-8);
  scenario.item_ms *= 1 + 2e-9;
  EXPECT_THROW(simulate(scenario), VirtualTimeEnds);
}

TEST(Engine, GivesUpWhenItIsAskedTo) {
  Scenario scenario = small(balancer("none"));
  scenario.jitter = 0.1;
  scenario.workload = {"constant", {{"mean_items", "1000000000"}}};  // a minute, if it goes on
  int looks = 0;
  EXPECT_THROW(simulate(scenario, [&] { return ++looks == 3; }), Stopped);
  EXPECT_EQ(looks, 3);
}

TEST(Engine, HasTheSameOutcomeWithAnySeedWhereNothingIsDrawn) {
  int differ = 0;
  for (const Choice& chosen : every_balancer()) {
    for (const Choice& workload : every_workload()) {
      Scenario scenario = small(chosen);
      scenario.ranks = 37;
      scenario.workload = workload;
      std::set<std::string> outcomes;
      for (scenario.seed = 1; scenario.seed <= 5; ++scenario.seed) {
        outcomes.insert(to_json(simulate(scenario)));
      }
      const bool draws = find_entry(balancers(), chosen.name)->draws(chosen.options) ||
                         find_entry(workloads(), workload.name)->draws;
      EXPECT_TRUE(draws || outcomes.size() == 1) << to_json(scenario);
      differ += outcomes.size() > 1;
    }
  }
  EXPECT_GT(differ, 0);
}

TEST(Engine, CountsItsEvents) {
  // 0-3 has nothing to do and stops at once; 4-7 wakes once, at the end of all its items.
  EXPECT_EQ(simulate(small(balancer("none"))).events, 1u);
  // 0-3 asks and is accepted, two messages; the merged group starts, and comes to the end. 4-7 is
  // woken for its item's end, for which the first plan is stale.
  EXPECT_EQ(simulate(small(balancer("asynchronous"))).events, 6u);
}

TEST(Engine, CarriesOutATrace) {
  const std::string path = testing::TempDir() + "engine_test_trace.csv";
  std::ofstream(path) << "items\n3\n5\n";
  Scenario scenario = small(balancer("asynchronous"));
  scenario.workload = {"trace", {{"trace_file", path}}};
  EXPECT_EQ(violation(scenario), std::nullopt);
}

}  // namespace
}  // namespace regroup
