// SPDX-License-Identifier: BSD-3-Clause
//
// What every run on real processes must hold, whatever its balancer and strategy: each item is done
// exactly once, everybody stops, no communicator is left.
#include "engines/virtual/engine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "balancers/balancers.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "regroup/strategy.hpp"
#include "tests/long_tests.hpp"
#include "tests/mpi/world.hpp"
#include "walkers/walkers.hpp"

namespace regroup::engine_test {
namespace {

/// Every option at its first value and, for a choice, at each of its words.
std::vector<Choice> variants(const BalancerEntry& entry) {
  std::vector<Choice> all{with_fallbacks(entry)};
  for (const OptionSpec& spec : entry.options) {
    std::vector<std::string> values;
    if (spec.type == OptionSpec::Type::choice) {
      values.assign(spec.words.begin(), spec.words.end());
    } else if (spec.type == OptionSpec::Type::integer) {
      values = {"1", "3"};
    } else {
      values.emplace_back(spec.fallback);
    }
    std::vector<Choice> longer;
    for (const Choice& choice : all) {
      for (const std::string& value : values) {
        longer.push_back(choice);
        longer.back().options.set(std::string(spec.name), value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::string> strategies_for(const BalancerEntry& entry) {
  if (entry.regrouping == Regrouping::never) return {""};
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies()) {
    if (!strategy.serves_balancers() || strategy.make == nullptr) continue;
    if (entry.shapes == Shapes::any && strategy.forms != Forms::any) continue;
    if (entry.regrouping == Regrouping::in_exchanges || strategy.caller == Caller::group) {
      names.emplace_back(strategy.name);
    }
  }
  return names;
}

struct Case {
  Choice balancer;
  std::string communicator;
  bool in_exchanges;
};

/// Each variant of a balancer with a strategy, and each strategy with a variant. Long tests combine
/// each with each.
std::vector<Case> cases() {
  const bool every = long_tests();
  std::vector<Case> all;
  for (const BalancerEntry& entry : balancers()) {
    const std::vector<Choice> choices = variants(entry);
    const std::vector<std::string> names = strategies_for(entry);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      for (std::size_t j = 0; j < names.size(); ++j) {
        if (!every && i % names.size() != j % choices.size()) continue;
        all.push_back({choices[i], names[j], entry.regrouping == Regrouping::in_exchanges});
      }
    }
  }
  return all;
}

std::string name_of(const Case& one) {
  std::string name = one.balancer.name;
  for (const auto& [option, value] : one.balancer.options) name += "_" + option + "_" + value;
  if (!one.communicator.empty()) name += "_" + one.communicator;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

Scenario scenario_of(const Case& one, int group_size, int multiplier) {
  Scenario scenario;
  scenario.experiment = "engine_test";
  scenario.ranks = world().ranks;
  scenario.group_size = group_size;
  scenario.item_ms = 0.4;
  scenario.workload = {"cyclic", {{"multiplier", std::to_string(multiplier)}, {"modulus", "5"}}};
  scenario.balancer = one.balancer;
  scenario.communicator = one.communicator;
  scenario.waiting = crowded_waiting();
  return scenario;
}

void expect_sound(const Scenario& scenario, const Outcome& outcome) {
  const auto violation = first_violation(scenario, outcome.lives);
  EXPECT_FALSE(violation) << *violation;
  EXPECT_EQ(outcome.communicators_left, 0);
  EXPECT_LE(outcome.communicators_alive_max, 3);
  EXPECT_EQ(complaint_about(outcome.place, scenario.ranks), "");
  EXPECT_NE(outcome.place.mpi, "");
  EXPECT_GT(outcome.setup_s, 0);
  EXPECT_NE(outcome.library, "");
}

void expect_regrouped_alike(const Scenario& scenario, const Outcome& real, const Outcome& other) {
  const RegroupStatistics expected = regroup_statistics(other.lives, scenario.ranks);
  const RegroupStatistics found = regroup_statistics(real.lives, scenario.ranks);
  EXPECT_EQ(found.processes, expected.processes);
}

class EveryBalancer : public testing::TestWithParam<Case> {};

TEST_P(EveryBalancer, DoesEachItemOnceAndStops) {
  for (int group_size = 1; group_size <= 4; ++group_size) {
    SCOPED_TRACE(fmt::format("G = {}", group_size));
    const Scenario scenario = scenario_of(GetParam(), group_size, 3);
    const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(scenario, outcome);
    if (GetParam().in_exchanges) expect_regrouped_alike(scenario, outcome, simulate(scenario));
  }
}

TEST_P(EveryBalancer, TakesUpEveryWalkerThatWaits) {
  Scenario scenario = scenario_of(GetParam(), 2, 3);
  scenario.walkers_per_group = 3;
  scenario.wants = {
      "uniform",
      {{"least_wanted_ranks", "1"}, {"most_wanted_ranks", std::to_string(scenario.ranks)}}};
  const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
  if (world().rank == 0) expect_sound(scenario, outcome);
}

/// What the chains of `scenario` come to where each is executed by one rank, from start to end.
std::string hash_of_chains(const Scenario& scenario) {
  const WalkerEntry& walker = *find_entry(walkers(), scenario.walker.name);
  const WalkerSource source{
      [&](ChainName name) { return walker.make(scenario.walker.options, name); }, true};
  Team team;
  std::vector<ChainEnd> ends;
  for (const std::int64_t items : initial_items(scenario)) {
    LiveChain chain(source, {static_cast<int>(ends.size()), scenario.stream()});
    for (std::int64_t i = 0; i < items && !chain.done(); ++i) chain.execute(0, team);
    ends.push_back(chain.end());
  }
  return hash_of(ends);
}

/// A small cluster of atoms, whose members have to talk to each other in every item; a state whose
/// every byte must arrive; and one that ends after two to eight of the items that it might have.
const std::vector<Choice>& walkers_with_state() {
  static const std::vector<Choice> all = [] {
    Choice atoms = with_fallbacks(*find_entry(walkers(), "lennard_jones"));
    atoms.options.set("atoms", "5");
    atoms.options.set("moves_per_item", "2");
    atoms.options.set("burn_in_moves", "10");
    Choice bytes = with_fallbacks(*find_entry(walkers(), "sleep"));
    bytes.options.set("state_bytes", "70001");
    Choice ends = with_fallbacks(*find_entry(walkers(), "trajectory"));
    ends.options.set("atoms", "3");
    ends.options.set("temperature", "4");
    ends.options.set("time_step", "0.002");
    ends.options.set("steps", "4");
    return std::vector{atoms, bytes, ends};
  }();
  return all;
}

TEST_P(EveryBalancer, LeavesChainsAsTheyAre) {
  for (const Choice& walker : walkers_with_state()) {
    SCOPED_TRACE(walker.name);
    Scenario scenario = scenario_of(GetParam(), 2, 3);
    scenario.walker = walker;
    scenario.walkers_per_group = 2;
    const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(scenario, outcome);
    EXPECT_EQ(outcome.chains_hash, hash_of_chains(scenario));
  }
}

/// Every second rank in one group, but where the balancer forms ranges: then of other sizes.
std::string other_groups(const BalancerEntry& balancer, int ranks) {
  const int half = (ranks + 2) / 3;
  std::vector<RankRange> one, other;
  for (int rank = 0; rank < ranks; ++rank) (rank % 2 == 0 ? one : other).push_back({rank, rank});
  std::vector<RankSet> groups{RankSet::of(one), RankSet::of(other)};
  if (!hindrance(balancer, groups).empty()) groups = {{0, half - 1}, {half, ranks - 1}};
  std::erase_if(groups, &RankSet::empty);
  return text_of(StartingGroups(groups));
}

TEST_P(EveryBalancer, StartsFromGroupsOfAnySizes) {
  Scenario scenario = scenario_of(GetParam(), 1, 3);
  const auto& balancer = *find_entry(standard_catalog().balancers, scenario.balancer.name);
  scenario.groups = other_groups(balancer, scenario.ranks);
  scenario.group_size = StartingGroups::from(scenario.groups).largest();
  scenario.walkers_per_group = 2;
  for (const char* walker : {"sleep", "lennard_jones"}) {
    SCOPED_TRACE(walker);
    scenario.walker =
        walker == std::string_view("sleep") ? scenario.walker : walkers_with_state().front();
    const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(scenario, outcome);
    if (scenario.walker != Scenario().walker) {
      EXPECT_EQ(outcome.chains_hash, hash_of_chains(scenario));
    }
  }
}

TEST_P(EveryBalancer, StopsWhereThereIsNoWorkAtAll) {
  const Scenario scenario = scenario_of(GetParam(), 2, 0);
  const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_sound(scenario, outcome);
  EXPECT_EQ(outcome.makespan_s(), 0);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryBalancer, testing::ValuesIn(cases()),
                         [](const auto& test) { return name_of(test.param); });

TEST(Run, WantsTheRanksOfItsScenario) {
  Scenario scenario = scenario_of({{"none", {}}, "", false}, 1, 1);
  scenario.ranks = world().ranks + 1;
  EXPECT_THROW(execute(scenario, MPI_COMM_WORLD), std::invalid_argument);
}

TEST(Run, TellsHowItsProcessesWaited) {
  for (const std::string waiting : {"direct", "polite", "wrapper", "auto"}) {
    Scenario scenario = scenario_of({{"none", {}}, "", false}, 1, 1);
    scenario.waiting = waiting;
    if (waiting == "wrapper" && !Waiter::wrapper_is_in_place()) {
      EXPECT_ANY_THROW(execute(scenario, MPI_COMM_WORLD)) << "it says so where it is not in place";
      continue;
    }
    const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    const bool crowded = outcome.place.crowded();
    if (waiting == "direct" || (waiting == "auto" && !crowded)) {
      EXPECT_EQ(outcome.waiting, "direct");
    } else {
      EXPECT_EQ(outcome.waiting, crowded_waiting());
    }
  }
}

}  // namespace
}  // namespace regroup::engine_test
