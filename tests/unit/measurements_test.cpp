// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>

#include "measurements/bench.hpp"
#include "regroup/measurement.hpp"

namespace regroup::measurements_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

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

std::vector<Layer> on(const std::vector<int>& nodes, std::string_view pattern, int group_size) {
  return find_entry(patterns(), pattern)
      ->on_nodes(NodeMap(nodes), static_cast<int>(nodes.size()), group_size);
}

TEST(Patterns, WithinNodeTakesAllThatFillAGroupOnEachNode) {
  const std::vector<Layer> expected{
      {Members::list({0, 2}), Members::list({4, 6}), Members::list({1, 3})}};
  EXPECT_EQ(on({0, 1, 0, 1, 0, 1, 0}, "within_node", 2), expected);
  EXPECT_TRUE(on({0, 1, 0, 1}, "within_node", 3).empty());
}

TEST(Patterns, AcrossNodesTakesEveryMemberFromAnotherNode) {
  const std::vector<Layer> expected{
      {Members::list({0, 3}), Members::list({1, 4}), Members::list({2, 5})}};
  EXPECT_EQ(on({0, 0, 0, 1, 1, 1}, "across_nodes", 2), expected);
  EXPECT_TRUE(on({0, 0, 0, 1, 1, 1}, "across_nodes", 3).empty());
}

TEST(Patterns, AcrossNodesOfDifferentSizesLeaveAsFewAsCanBe) {
  const std::vector<Layer> layers = on({0, 0, 1, 1, 2, 2}, "across_nodes", 2);
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers.front().size(), 3u);
  EXPECT_EQ(on({0, 0, 0, 0, 1, 2}, "across_nodes", 2).front().size(), 2u);
}

TEST(Patterns, OnNodesAreOfDisjointGroupsAndNoRankIsWithAnotherThatItShouldNotBeWith) {
  for (const std::vector<int>& nodes :
       {std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1}, {0, 0, 0, 1, 1, 2, 2, 2, 2}, {0, 1, 2, 3}}) {
    const NodeMap map(nodes);
    for (const Pattern& pattern : patterns()) {
      if (pattern.on_nodes == nullptr) continue;
      for (int size = 1; size <= 4; ++size) {
        std::set<int> seen;
        for (const Layer& layer : pattern.on_nodes(map, static_cast<int>(nodes.size()), size)) {
          for (const Members& group : layer) {
            std::set<int> used;
            EXPECT_EQ(group.size(), size);
            for (int place = 0; place < size; ++place) {
              EXPECT_TRUE(seen.insert(group[place]).second);
              used.insert(map.of(group[place]));
            }
            EXPECT_EQ(static_cast<int>(used.size()), pattern.name == "within_node" ? 1 : size);
          }
        }
      }
    }
  }
}

std::vector<Sample> samples_of(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (const double value : values) add(samples, 0.5 * static_cast<double>(samples.size()), value);
  return samples;
}

TEST(Sampled, NumbersSamplesFromOneOn) {
  EXPECT_THAT(samples_of({3, 4}), ElementsAre(Sample{1, 0, 3}, Sample{2, 0.5, 4}));
}

TEST(Sampled, MakesOfATimeWhatIsToldOfIt) {
  EXPECT_THAT(figures_of({{"create_s", samples_of({6, 1, 5, 2, 4, 3})}}),
              ElementsAre(Pair("create_high_s", 6), Pair("create_low_s", 1),
                          Pair("create_median_s", 3.5), Pair("create_min_s", 1)));
  EXPECT_THAT(figures_of({{"bystander_s", samples_of({6, 1, -5, 2, 4, 3})}}),
              ElementsAre(Pair("bystander_high_s", 6), Pair("bystander_low_s", -5),
                          Pair("bystander_s", 2.5)));
  EXPECT_THAT(figures_of({{"look_for_request_s", samples_of({2, 9, 1})}}),
              ElementsAre(Pair("look_for_request_s", 2)));
}

TEST(Sampled, HasNoIntervalOfFewSamples) {
  EXPECT_THAT(figures_of({{"time_s", samples_of({1, 2, 3, 4, 5})}}),
              ElementsAre(Pair("time_median_s", 3), Pair("time_min_s", 1)));
}

/// Work that takes as long as the creations, and both together as long as one of them: all of it.
TEST(Sampled, TellsWhatPartWorkHidesFromThreeTimesOfEachSample) {
  const Samples samples{{"in_flight_s", samples_of({2, 4, 2})},
                        {"in_flight_work_s", samples_of({2, 2, 2})},
                        {"in_flight_both_s", samples_of({2, 5, 4})}};
  EXPECT_THAT(figures_of(samples),
              ElementsAre(Pair("hidden_fraction", 0.25), Pair("in_flight_s", 2)));
}

TEST(Sampled, MakesNothingOfNothing) {
  EXPECT_THAT(figures_of(Samples()), IsEmpty());
  EXPECT_THAT(figures_of({{"in_flight_both_s", samples_of({1})}}), IsEmpty());
}

TEST(Sampled, KeepsEverySoManythOfMany) {
  EXPECT_EQ(kept_of(0), 0u);
  EXPECT_EQ(kept_of(1), 1u);
  EXPECT_EQ(kept_of(1000), 1000u);
  EXPECT_EQ(kept_of(1001), 501u);
  EXPECT_EQ(kept_of(1'000'000), 1000u);
  for (const std::size_t number : {1, 7, 999, 1000, 1001, 2000, 2001, 12345}) {
    const Samples kept = kept_of({{"time_s", samples_of(std::vector<double>(number, 1))}});
    EXPECT_THAT(kept.at("time_s"), SizeIs(kept_of(number)));
    EXPECT_LE(kept.at("time_s").size(), most_kept);
    EXPECT_EQ(kept.at("time_s").front().number, 1);
  }
}

/// What a kind of measurement calls a figure is what its samples are made into.
TEST(Sampled, MakesFiguresThatMeasurementsHave) {
  Samples all;
  for (const SampledTime& time : sampled_times()) {
    all[std::string(time.name)] = samples_of({1, 2, 3, 4, 5, 6});
  }
  for (const auto& [name, value] : figures_of(all)) {
    EXPECT_TRUE(comes_of_samples(name)) << name;
    bool known = false;
    for (const MeasurementKind& kind : measurement_kinds()) {
      for (const Figure& figure : kind.figures) known = known || figure.name == name;
    }
    EXPECT_TRUE(known) << name;
  }
  EXPECT_FALSE(comes_of_samples("formed_groups"));
  EXPECT_FALSE(comes_of_samples("moved_bytes"));
}

}  // namespace
}  // namespace regroup::measurements_test
