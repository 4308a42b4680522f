// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "regroup/outcome.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A node without facts.
Node node(std::vector<Binding> bindings) { return {"n", std::move(bindings), {}}; }

RankLocation location(const std::string& host, RankSet cpus) {
  return {host, "name", std::move(cpus)};
}

/// Each host's ranks in order: `ranks[i]` of them on host i, which has `cpus[i]` processors.
Place place_of(std::vector<int> ranks, std::vector<int> cpus) {
  std::vector<RankLocation> locations;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (int rank = 0; rank < ranks[i]; ++rank) {
      locations.push_back(location("host " + std::to_string(i), {0, cpus[i] - 1}));
    }
  }
  return {nodes_of(locations), "", {}, ""};
}

TEST(NodesOf, TellsHostsApartByWhatIsTheirOwnAndNotByTheirName) {
  const std::vector<RankLocation> locations{location("a", {0, 1}), location("b", {0, 1}),
                                            location("a", {0, 1})};
  const auto nodes = nodes_of(locations);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(text_of(nodes[0].ranks()), "0 2");
  EXPECT_EQ(text_of(nodes[1].ranks()), "1");
  EXPECT_EQ(nodes[0].name, nodes[1].name);
}

TEST(NodesOf, PoolsRanksThatMayRunOnTheSameProcessors) {
  const std::vector<RankLocation> locations{location("a", {0, 0}), location("a", {1, 1}),
                                            location("a", {0, 0}), location("a", {1, 1}),
                                            location("b", {0, 0})};
  const auto nodes = nodes_of(locations);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_THAT(nodes[0].bindings, ElementsAre(Binding{RankSet::of({{0, 0}, {2, 2}}), {0, 0}},
                                             Binding{RankSet::of({{1, 1}, {3, 3}}), {1, 1}}));
  EXPECT_THAT(nodes[1].bindings, ElementsAre(Binding{{4, 4}, {0, 0}}));
}

TEST(Node, HasTheCoresThatItsRanksMayRunOn) {
  EXPECT_EQ(node({{{0, 0}, {0, 1}}, {{1, 1}, {1, 4}}}).cores(), 5);
}

TEST(Node, HasNoMoreCoresThanTheQuotaOfItsControlGroupAndAtLeastOne) {
  Node some = node({{{0, 1}, {0, 7}}});
  for (const auto& [quota, cores] : {std::pair(0.0, 8), {16.0, 8}, {2.0, 2}, {2.9, 2}, {0.5, 1}}) {
    some.facts.quota = quota;
    EXPECT_EQ(some.cores(), cores) << quota;
    EXPECT_EQ(some.crowded(), cores < 2) << quota;
  }
}

TEST(Place, IsCrowdedWhereOneOfItsNodesIsWhateverOthersHaveFree) {
  EXPECT_TRUE(place_of({3, 1}, {2, 4}).crowded());
  EXPECT_FALSE(place_of({2, 2}, {2, 4}).crowded());
  EXPECT_FALSE(place_of({1, 4}, {2, 4}).crowded());
  EXPECT_EQ(place_of({3, 1}, {2, 4}).cores(), 6);
}

TEST(Placement, TellOfTheNodesTogether) {
  Place place = place_of({3, 1, 2}, {4, 2, 2});
  place.job_id = "7";
  place.nodes[0].facts.load = 0.5;
  place.nodes[1].facts.load = 1.5;
  const Placement where = placement_of(place);
  EXPECT_EQ(where.nodes, 3);
  EXPECT_EQ(where.ranks_per_node_min, 1);
  EXPECT_EQ(where.ranks_per_node_max, 3);
  EXPECT_EQ(where.cores, 8);
  EXPECT_FALSE(where.crowded);
  EXPECT_EQ(where.job_id, "7");
  EXPECT_EQ(where.load_average_before, 1.5);
}

TEST(Placement, AreNothingWhereThereIsNoNode) {
  const Placement where = placement_of({});
  EXPECT_EQ(where.nodes, 0);
  EXPECT_EQ(where.ranks_per_node_min, 0);
  EXPECT_EQ(where.cores, 0);
}

TEST(AcrossNodes, CountsGroupsThatNoNodeHasAllOf) {
  const Place place = place_of({2, 2}, {2, 2});
  std::vector<GroupLife> lives(6);
  const std::vector<RankSet> groups{{0, 1}, {2, 3}, {1, 2}, {0, 3}, {3, 3}, {1, 2}};
  for (std::size_t i = 0; i < groups.size(); ++i) lives[i].ranks = groups[i];
  EXPECT_EQ(groups_across(node_map_of(place), lives), 3);
  EXPECT_EQ(groups_across(node_map_of(Place{}), lives), 0);
}

TEST(ComplaintAbout, IsNothingForEveryRankOnce) {
  EXPECT_EQ(complaint_about(place_of({3, 1}, {2, 4}), 4), "");
}

TEST(ComplaintAbout, NamesWhatCannotBe) {
  const Place good = place_of({2, 2}, {2, 2});
  EXPECT_THAT(complaint_about(good, 5), HasSubstr("every rank once"));
  EXPECT_THAT(complaint_about({}, 1), HasSubstr("every rank once"));
  Place bad = good;
  bad.nodes[1].bindings[0].ranks = {1, 3};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("every rank once"));
  bad.nodes[1].bindings.clear();
  EXPECT_THAT(complaint_about(bad, 2), HasSubstr("without ranks"));
  bad = good;
  bad.nodes[0].bindings[0].cpus = {};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("without a processor"));
  bad.nodes[0].bindings[0].cpus = {0, 1 << 14};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("no host has"));
  bad = good;
  bad.nodes[0].facts.load = -1;
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("load"));
}

}  // namespace
}  // namespace regroup
