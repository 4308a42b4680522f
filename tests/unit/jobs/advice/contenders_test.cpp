// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "driver/advise/advice.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string> all_words() {
  std::vector<std::string> all;
  for (const Contender& contender : all_contenders()) all.push_back(words(contender));
  return all;
}

Scenario run_of(int ranks, std::string costs) {
  Scenario run;
  run.engine = "virtual";
  run.ranks = ranks;
  run.workload = {"constant", {{"mean_items", "10"}}};
  run.costs.name = std::move(costs);
  return run;
}

TEST(Contenders, HaveEveryBalancerAndCanBeRun) {
  std::set<std::string> balancers;
  for (const Contender& contender : all_contenders()) {
    balancers.insert(contender.balancer.name);
    EXPECT_NO_THROW(resolve(run_by(contender, run_of(32, "cluster")))) << words(contender);
  }
  EXPECT_EQ(balancers.size(), standard_catalog().balancers.size());
}

TEST(Contenders, DifferInTheOptionsThatMatter) {
  const auto all = all_words();
  EXPECT_THAT(all, Contains("none"));
  for (const char* interval : {"1", "16", "64", "128"}) {
    EXPECT_THAT(all, Contains(fmt::format("collective({}) over comm_split", interval)));
  }
  EXPECT_THAT(all, Contains("asynchronous(release) over range"));
  EXPECT_THAT(all, Contains("spread(unknown, start_division=proportional) over create_group"));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

TEST(Contenders, AreRunWithStrategiesThatServeThemOnly) {
  EXPECT_THAT(all_words(), Not(Contains("asynchronous(release) over comm_split")));
  EXPECT_THAT(all_words(), Not(Contains("spread(known) over range")));
}

TEST(Contenders, AreElementsOfTheKeyBalancers) {
  EXPECT_EQ(yaml({{"none", {}}, ""}), "none");
  EXPECT_EQ(yaml({{"spread",
                   {{"loads", "known"}, {"prefer_own_node", "false"}, {"start_division", "as_is"}}},
                  "create_group"}),
            "spread: {loads: known, start_division: as_is, prefer_own_node: false, communicator: "
            "create_group}");
}

TEST(Contenders, FormCommunicatorsOfMpiOrDoNot) {
  EXPECT_FALSE(forms_communicators({{"none", {}}, ""}));
  EXPECT_FALSE(forms_communicators({{"two_sided", {}}, "range"}));
  EXPECT_TRUE(forms_communicators({{"two_sided", {}}, "create_group"}));
}

TEST(Entrants, AreOfEqualStrategiesTheFirst) {
  std::vector<std::string> strategies;
  for (const Entrant& entrant : entrants(run_of(32, "cluster")).all) {
    if (entrant.balancer.name == "two_sided") strategies.push_back(entrant.communicator);
  }
  EXPECT_THAT(strategies, testing::ElementsAre("create_group", "intercomm_merge",
                                               "multicommunicator", "range"));
}

}  // namespace
}  // namespace regroup
