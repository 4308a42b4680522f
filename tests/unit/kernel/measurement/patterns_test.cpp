// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/patterns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "kernel/measurement/measurement.hpp"

namespace regroup {
namespace {

std::vector<Layer> layers(std::string_view pattern, int ranks, int group_size) {
  return find_entry(patterns(), pattern)->layers(ranks, group_size, 1);
}

TEST(Patterns, HaveLayersOfDisjointGroupsAmongTheRanks) {
  for (const Pattern& pattern : patterns()) {
    for (int ranks = 1; ranks <= 20; ++ranks) {
      SCOPED_TRACE(std::string(pattern.name) + ", " + std::to_string(ranks));
      const int own = pattern.own_size(ranks);
      for (const Layer& layer : pattern.layers(ranks, own != 0 ? own : (ranks + 2) / 3, 7)) {
        std::set<int> seen;
        for (const Members& group : layer) {
          EXPECT_FALSE(group.empty());
          for (int place = 0; place < group.size(); ++place) {
            EXPECT_TRUE(seen.insert(group[place]).second);
            EXPECT_GE(group[place], 0);
            EXPECT_LT(group[place], ranks);
          }
        }
      }
    }
  }
}

TEST(Patterns, CascadedFormsOverlappingGroupsOneAfterTheOther) {
  const std::vector<Layer> expected{
      {Members::range(0, 4)}, {Members::range(3, 4)}, {Members::range(6, 2)}};
  EXPECT_EQ(layers("cascaded", 8, 4), expected);
}

TEST(Patterns, AlternatingFormsTheSameGroupsInTwoSteps) {
  const std::vector<Layer> expected{{Members::range(0, 4), Members::range(6, 2)},
                                    {Members::range(3, 4)}};
  EXPECT_EQ(layers("alternating", 8, 4), expected);
}

TEST(Patterns, HalvesLeaveTheOddRankToTheFirst) {
  const std::vector<Layer> expected{{Members::range(0, 3), Members::range(3, 2)}};
  EXPECT_EQ(layers("halves", 5, 3), expected);
}

TEST(Patterns, RandomSubsetDependsOnTheSeedOnly) {
  const Pattern& random = *find_entry(patterns(), "random_subset");
  EXPECT_EQ(random.layers(64, 8, 1), random.layers(64, 8, 1));
  EXPECT_NE(random.layers(64, 8, 1), random.layers(64, 8, 2));
  EXPECT_EQ(random.layers(64, 8, 1).front().front().size(), 8);
}

Measurement creation(std::string strategy, std::string pattern, int ranks, int group_size) {
  Measurement m;
  m.kind = "creation";
  m.ranks = ranks;
  m.parameters = {{"strategy", std::move(strategy)},
                  {"pattern", std::move(pattern)},
                  {"group_size", std::to_string(group_size)}};
  return m;
}

TEST(Measurement, IsImpossibleWhereAStrategyCannotFormItsGroups) {
  EXPECT_EQ(impossible(creation("range", "one_group", 8, 4)), "");
  EXPECT_NE(impossible(creation("range", "random_subset", 64, 8)), "");
  EXPECT_EQ(impossible(creation("icreate_group", "random_subset", 64, 8)), "");
  EXPECT_EQ(impossible(creation("dup", "one_group", 8, 8)), "");
  EXPECT_NE(impossible(creation("dup", "one_group", 8, 4)), "");
  EXPECT_NE(impossible(creation("comm_split", "one_group", 8, 9)), "");
}

TEST(Measurement, GoesThroughJsonUnchanged) {
  Measurement m = creation("range", "halves", 8, 4);
  m.seed = 9;
  m.timeout_s = 3;
  const MeasurementKind& kind = *find_entry(measurement_kinds(), "creation");
  for (const auto& [name, value] : with_fallbacks(kind).options) {
    if (!m.parameters.has(name)) m.parameters.set(name, value);
  }
  EXPECT_EQ(to_json(measurement_from_json(to_json(m))), to_json(m));
  EXPECT_TRUE(is_measurement(to_json(m)));
  Measurement damaged = m;
  damaged.kind = "destruction";
  EXPECT_THROW(measurement_from_json(to_json(damaged)), std::invalid_argument);
  damaged = m;
  damaged.ranks = 0;
  EXPECT_THROW(measurement_from_json(to_json(damaged)), std::invalid_argument);
  damaged = m;
  damaged.parameters.set("pattern", "bogus");
  EXPECT_THROW(measurement_from_json(to_json(damaged)), std::invalid_argument);
}

TEST(Measurement, HasAFingerprintThatTheTimeLimitDoesNotChange) {
  Measurement m = creation("range", "halves", 8, 4);
  const std::string before = fingerprint(m);
  m.timeout_s = 3;
  EXPECT_EQ(fingerprint(m), before);
  m.seed = 9;
  EXPECT_NE(fingerprint(m), before);
}

}  // namespace
}  // namespace regroup
