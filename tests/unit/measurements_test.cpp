// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

#include "measurements/creation.hpp"
#include "measurements/creation_claims.hpp"
#include "measurements/summary.hpp"
#include "regroup/measurement.hpp"
#include "walkers/walkers.hpp"

namespace regroup::measurements_test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
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
      if (pattern.layers == nullptr) continue;
      const int size = pattern.own_size != nullptr ? pattern.own_size(ranks) : (ranks + 2) / 3;
      for (const Layer& layer : pattern.layers(ranks, size, 7)) {
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

TEST(Patterns, FormTheseGroups) {
  using Layers = std::vector<Layer>;
  // Overlapping groups, one after the other.
  EXPECT_EQ(layers("cascaded", 8, 4),
            (Layers{{Members::range(0, 4)}, {Members::range(3, 4)}, {Members::range(6, 2)}}));
  // The same groups in two steps.
  EXPECT_EQ(layers("alternating", 8, 4),
            (Layers{{Members::range(0, 4), Members::range(6, 2)}, {Members::range(3, 4)}}));
  // The first half has the odd rank.
  EXPECT_EQ(layers("halves", 5, 3), (Layers{{Members::range(0, 3), Members::range(3, 2)}}));
}

TEST(Patterns, PairsHaveGapsAsLongAsOthersAreLeft) {
  EXPECT_EQ(layers("pairs", 8, 4), (std::vector<Layer>{{Members::list({0, 1, 3, 4})}}));
  EXPECT_EQ(layers("pairs", 8, 7), (std::vector<Layer>{{Members::list({0, 1, 3, 4, 5, 6, 7})}}));
}

TEST(Patterns, RandomSubsetDependsOnTheSeedOnly) {
  const Pattern& random = *find_entry(patterns(), "random_subset");
  EXPECT_EQ(random.layers(64, 8, 1), random.layers(64, 8, 1));
  EXPECT_NE(random.layers(64, 8, 1), random.layers(64, 8, 2));
  EXPECT_EQ(random.layers(64, 8, 1).front().front().size(), 8);
}

std::vector<Layer> on(const std::vector<int>& nodes, std::string_view pattern, int group_size) {
  return find_entry(patterns(), pattern)
      ->layers_on(NodeMap(nodes), static_cast<int>(nodes.size()), group_size);
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
      if (pattern.layers_on == nullptr) continue;
      for (int size = 1; size <= 4; ++size) {
        std::set<int> seen;
        for (const Layer& layer : pattern.layers_on(map, static_cast<int>(nodes.size()), size)) {
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

const MeasurementKind& kind_named(std::string_view name) {
  return *find_entry(measurement_kinds(), name);
}

std::vector<Sample> samples_of(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (const double value : values) {
    const auto number = static_cast<std::int64_t>(samples.size()) + 1;
    samples.push_back({number, 0.5 * static_cast<double>(number), value});
  }
  return samples;
}

Figures figures_of_creation(const Samples& samples) {
  return figures_of(kind_named("creation"), samples);
}

TEST(Figures, FollowFromTheSamplesOfATimeAsItsRowSays) {
  EXPECT_THAT(figures_of_creation({{"create_s", samples_of({6, 1, 5, 2, 4, 3})}}),
              ElementsAre(Pair("create_high_s", 6), Pair("create_low_s", 1),
                          Pair("create_median_s", 3.5), Pair("create_min_s", 1)));
  EXPECT_THAT(figures_of_creation({{"bystander_s", samples_of({6, 1, -5, 2, 4, 3})}}),
              ElementsAre(Pair("bystander_high_s", 6), Pair("bystander_low_s", -5),
                          Pair("bystander_s", 2.5)));
  EXPECT_THAT(figures_of(kind_named("steps"), {{"look_for_request_s", samples_of({2, 9, 1})}}),
              ElementsAre(Pair("look_for_request_s", 2)));
}

TEST(Figures, HaveNoIntervalOfFewSamplesAndAreNoneWithout) {
  EXPECT_THAT(figures_of(kind_named("items"), {{"time_s", samples_of({1, 2, 3, 4, 5})}}),
              ElementsAre(Pair("time_median_s", 3), Pair("time_min_s", 1)));
  EXPECT_THAT(figures_of_creation({}), IsEmpty());
  EXPECT_THAT(figures_of_creation({{"in_flight_both_s", samples_of({1})}}), IsEmpty());
}

/// If creations and equally long work together take as long as one of them, the fraction is 1.
TEST(Figures, HaveThePartThatWorkHidesFromThreeTimesOfEachSample) {
  const Samples samples{{"in_flight_s", samples_of({2, 4, 2})},
                        {"in_flight_work_s", samples_of({2, 2, 2})},
                        {"in_flight_both_s", samples_of({2, 5, 4})}};
  EXPECT_THAT(figures_of_creation(samples),
              ElementsAre(Pair("hidden_fraction", 0.25), Pair("in_flight_s", 2)));
}

TEST(Samples, AreKeptAtEqualDistancesIfTheyAreMany) {
  const std::map<std::size_t, std::size_t> kept{{1, 1},       {7, 7},       {999, 999},
                                                {1000, 1000}, {1001, 501},  {2000, 1000},
                                                {2001, 667},  {12345, 950}, {1'000'000, 1000}};
  for (const auto& [number, expected] : kept) {
    const Samples left = kept_of({{"time_s", samples_of(std::vector<double>(number, 1))}});
    EXPECT_THAT(left.at("time_s"), SizeIs(expected)) << number;
    EXPECT_LE(left.at("time_s").size(), most_kept);
    EXPECT_EQ(left.at("time_s").front().number, 1);
  }
}

/// Results have a column for each figure that a kind names.
TEST(Figures, OfTheSamplesOfAKindAreAmongThoseThatItNames) {
  for (const MeasurementKind& kind : measurement_kinds()) {
    SCOPED_TRACE(std::string(kind.name));
    Samples all;
    for (const SampledTime& time : kind.times) {
      EXPECT_TRUE(time.name.ends_with("_s"));
      all[std::string(time.name)] = samples_of({1, 2, 3, 4, 5, 6});
    }
    std::set<std::string> named;
    for (const NamedFigure& figure : figures_of(kind)) {
      EXPECT_TRUE(named.insert(figure.name).second) << figure.name;
      EXPECT_FALSE(figure.help.empty()) << figure.name;
    }
    for (const auto& [name, value] : figures_of(kind, all))
      EXPECT_TRUE(named.contains(name)) << name;
  }
}

// ---- limits

Measurement measurement_of(std::string_view kind, const Options& options,
                           std::string_view walker = "sleep") {
  Measurement measurement;
  measurement.kind = &kind_named(kind);
  measurement.options = with_fallbacks(*measurement.kind).options;
  for (const auto& [name, value] : options) measurement.options.set(name, value);
  measurement.strategy = find_entry(strategies(), measurement.options.text("communicator"));
  if (measurement.options.has("operation")) {
    measurement.operation =
        find_entry(collective_operations(), measurement.options.text("operation"));
  }
  measurement.walker.row = find_entry(walkers(), walker);
  return measurement;
}

Measurement creation(std::string strategy, std::string pattern, int group_size) {
  return measurement_of("creation", {{"communicator", std::move(strategy)},
                                     {"pattern", std::move(pattern)},
                                     {"group_size", std::to_string(group_size)}});
}

TEST(Measurement, IsImpossibleIfTheStrategyCannotFormItsGroups) {
  const auto reason = [](const Measurement& m, int ranks) { return hindrance(m, ranks, 1); };
  EXPECT_EQ(reason(creation("range", "one_group", 4), 8), "");
  EXPECT_EQ(reason(creation("range", "random_subset", 8), 64), "");
  EXPECT_EQ(reason(creation("dup", "one_group", 8), 8), "");
  EXPECT_EQ(reason(creation("dup", "one_group", 4), 8),
            "dup is entered by all ranks and forms a copy of its parent only");
  EXPECT_EQ(reason(creation("comm_split", "one_group", 9), 8),
            "a group of 9 does not fit into 8 ranks");
  const auto items = [](std::string strategy, int group_size) {
    return measurement_of("items", {{"communicator", std::move(strategy)},
                                    {"group_size", std::to_string(group_size)}});
  };
  EXPECT_EQ(reason(items("dup", 8), 8), "");
  EXPECT_NE(reason(items("dup", 4), 8), "");
  EXPECT_NE(reason(items("range", 9), 8), "");
}

TEST(Measurement, ThatNeedsNodesIsImpossibleIfTheyAllowNoGroup) {
  EXPECT_EQ(hindrance(creation("create_group", "across_nodes", 2), 4, 1), "");
  const auto reason = [](std::vector<int> nodes, std::string_view pattern, int group_size,
                         std::string_view strategy) {
    const auto ranks = static_cast<int>(nodes.size());
    return hindrance_on(NodeMap(std::move(nodes)), *find_entry(patterns(), pattern), group_size,
                        ranks, *find_entry(strategies(), strategy));
  };
  EXPECT_EQ(reason({0, 0, 1, 1}, "across_nodes", 2, "create_group"), "");
  EXPECT_EQ(reason({0, 0, 0, 0}, "across_nodes", 2, "create_group"),
            "no group of 2 is across_nodes: 4 ranks are on 1 node, at most 4 on one");
  EXPECT_NE(reason({0, 0, 1, 1}, "within_node", 3, "create_group"), "");
  EXPECT_EQ(reason({0, 0, 1, 0, 1, 1}, "within_node", 3, "range"), "");
}

TEST(Measurement, IsSettledToFixedValuesOfOptionsWithoutEffect) {
  const auto settled = [](Measurement m, int ranks) {
    settle(m, ranks);
    return m.options;
  };
  EXPECT_EQ(settled(creation("dup", "halves", 2), 8), creation("dup", "one_group", 8).options);
  EXPECT_EQ(settled(creation("range", "halves", 2), 8), creation("range", "halves", 4).options);
  EXPECT_EQ(settled(creation("range", "disjoint", 2), 8), creation("range", "disjoint", 2).options);
  const Measurement barrier = measurement_of(
      "collectives", {{"operation", "barrier"}, {"communicator", "dup"}, {"group_size", "2"}});
  EXPECT_EQ(settled(barrier, 4).text("bytes"), "0");
  EXPECT_EQ(settled(barrier, 4).text("group_size"), "4");
}

TEST(Measurement, OfACollectiveIsImpossibleIfOneRankHasMoreBytesThanMpiCounts) {
  const auto reason = [](std::string operation, std::string bytes) {
    return hindrance(measurement_of("collectives", {{"operation", std::move(operation)},
                                                    {"communicator", "range"},
                                                    {"group_size", "32"},
                                                    {"bytes", std::move(bytes)}}),
                     32, 1);
  };
  EXPECT_EQ(reason("bcast", "134217728"), "");
  EXPECT_EQ(reason("alltoall", "33554432"), "");
  EXPECT_NE(reason("alltoall", "67108864"), "");
  EXPECT_NE(reason("gather", "67108864"), "");
  EXPECT_NE(reason("scatter", "67108864"), "");
}

TEST(Measurement, OfItemsIgnoresTheirTimeIfTheWalkerDoes) {
  for (const WalkerEntry& walker : walkers()) {
    Measurement m = measurement_of("items", {{"group_size", "4"}}, walker.name);
    m.item_ms = 3;
    settle(m, 8);
    EXPECT_EQ(m.item_ms, walker.timed ? 3 : 100) << walker.name;
  }
}

TEST(Measurement, DependsOnTheSeedIfThatDrawsItsGroups) {
  EXPECT_TRUE(draws(creation("create_group", "random_subset", 4)));
  EXPECT_FALSE(draws(creation("create_group", "one_group", 4)));
  EXPECT_FALSE(draws(measurement_of("items", {{"group_size", "4"}})));
}

Measurement sort_by(std::string way, std::string assignment = "greedy") {
  return measurement_of("sort", {{"communicator", std::move(way)},
                                 {"assignment", std::move(assignment)},
                                 {"elements_per_rank", "16"}});
}

TEST(Measurement, OfASortOnOneRankIsOfStdSort) {
  Measurement alone = sort_by("range", "deterministic");
  settle(alone, 1);
  EXPECT_EQ(alone.options, sort_by("std_sort").options);
  EXPECT_EQ(alone.strategy, nullptr);
  Measurement samples = sort_by("sample_sort", "deterministic");
  settle(samples, 4);
  EXPECT_EQ(samples.options, sort_by("sample_sort").options);
  Measurement range = sort_by("range", "deterministic");
  settle(range, 4);
  EXPECT_EQ(range.options, sort_by("range", "deterministic").options);

  EXPECT_FALSE(is_left_out(sort_by("std_sort"), 1));
  EXPECT_TRUE(is_left_out(sort_by("std_sort"), 2));
  EXPECT_EQ(hindrance(sort_by("std_sort"), 2, 1), "std_sort sorts on one rank only");
  EXPECT_EQ(hindrance(sort_by("range"), 2, 1), "");
}

// ---- summaries

using CostOf = std::function<double(int size)>;  // in seconds

/// Returns measurements of groups of 1 to 64 ranks, not sorted by size.
MeasuredSetting measured(const std::map<std::string, CostOf>& costs, double spread = 0.01,
                         bool intervals = true, bool crowded = false) {
  std::vector<MeasuredSetting::Row> rows;
  for (const auto& [strategy, cost] : costs) {
    for (const int size : {64, 2, 4, 16, 8, 32, 1}) {
      Measurement m = creation(strategy, "one_group", size);
      const double seconds = cost(size);
      Figures figures{{"create_median_s", seconds}};
      if (intervals) figures["create_low_s"] = seconds * (1 - spread);
      if (intervals) figures["create_high_s"] = seconds * (1 + spread);
      rows.push_back({std::move(m.options), m.strategy, std::move(figures)});
    }
  }
  return {kind_named("creation"), std::move(rows), 64, crowded};
}

double square_of_log(int size) { return 1e-4 * std::pow(std::max(1.0, std::log2(size)), 2); }
CostOf flat(double seconds) {
  return [=](int) { return seconds; };
}

TEST(MeasuredSetting, HasTheValuesOfAnOptionInTheirOrder) {
  const MeasuredSetting setting = measured({{"range", flat(1)}});
  EXPECT_THAT(setting.values("group_size"), ElementsAre("1", "2", "4", "8", "16", "32", "64"));
}

TEST(MeasuredSetting, TakesMediansAndHullsOverItsRows) {
  MeasuredSetting::Row row{Options{{"group_size", "2"}}, nullptr, {}};
  std::vector<MeasuredSetting::Row> rows;
  for (const double value : {1, 4, 2}) {
    row.figures = {{"time_median_s", value}, {"time_low_s", value - 1}, {"time_high_s", value + 1}};
    rows.push_back(row);
  }
  const MeasuredSetting setting(kind_named("items"), rows, 2, false);
  EXPECT_EQ(setting.median("time_median_s", {{"group_size", "2"}}), 2);
  EXPECT_EQ(setting.median("time_median_s", {{"group_size", "4"}}), std::nullopt);
  EXPECT_EQ(setting.interval("time", {}).value().low_s, 0);
  EXPECT_EQ(setting.interval("time", {}).value().high_s, 5);
}

TEST(Summaries, AreThereForEveryKind) {
  for (const MeasurementKind& kind : measurement_kinds()) {
    MeasuredSetting::Row row{with_fallbacks(kind).options, find_entry(strategies(), "range"), {}};
    for (const OptionSpec& option : kind.options) {
      if (!option.fallback.empty()) continue;
      row.options.set(std::string(option.name),
                      option.type == OptionSpec::Type::strategy    ? "range"
                      : option.type == OptionSpec::Type::operation ? "bcast"
                      : option.words.empty()                       ? "8"
                                             : std::string(option.words.front()));
    }
    for (const NamedFigure& figure : figures_of(kind)) row.figures[figure.name] = 0.002;
    const std::string text = summary_of({kind, {row}, 8, false});
    EXPECT_THAT(text, AnyOf(HasSubstr("2.00"), HasSubstr("0.002 MB/s"))) << kind.name;
  }
}

std::vector<bool> held(const std::vector<Figure1Claim>& claims) {
  std::vector<bool> all;
  for (const Figure1Claim& claim : claims) all.push_back(claim.holds);
  return all;
}

TEST(Figure1, HoldsWhereAllIsAsInThePaper) {
  const auto claims = figure1_claims(
      measured({{"comm_create", flat(1e-3)},
                {"intercomm_merge", square_of_log},
                {"create_group", [](int size) { return 1e-4 * std::log2(size + 1.0); }}}));
  EXPECT_THAT(held(claims), SizeIs(5));
  for (const Figure1Claim& claim : claims) EXPECT_TRUE(claim.holds) << claim.what << claim.details;
  EXPECT_THAT(claims[1].ours, HasSubstr("100 µs and 1.00 ms at 2"));
  EXPECT_THAT(claims[2].details, HasSubstr("from 16 on")) << "0.9 ms at 8, 1.6 ms at 16";
  EXPECT_EQ(claims[3].ours, "(log g)^2.0");
}

TEST(Figure1, DoesNotHoldWhereCreatingGrows) {
  const auto claims =
      figure1_claims(measured({{"comm_create", [](int size) { return 1e-5 * size; }}}));
  ASSERT_THAT(claims, SizeIs(1));
  EXPECT_FALSE(claims[0].holds);
  EXPECT_THAT(claims[0].ours, HasSubstr("32.00 ×"));
}

TEST(Figure1, DoesNotHoldWhereAlgorithm1IsExpensiveOrCheapThroughout) {
  const auto expensive =
      figure1_claims(measured({{"comm_create", flat(1e-6)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(expensive), ElementsAre(true, false, true, true));
  EXPECT_THAT(expensive[2].details, HasSubstr("from 2 on"));
  const auto cheap =
      figure1_claims(measured({{"comm_create", flat(1)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(cheap), ElementsAre(true, true, false, true));
}

TEST(Figure1, IsNotTakenToHoldByChance) {
  const auto claims = figure1_claims(
      measured({{"comm_create", flat(1.5e-4)}, {"intercomm_merge", square_of_log}}, 0.3));
  EXPECT_FALSE(claims[1].holds);
}

TEST(Figure1, GrowsAsItShouldOrItIsExplainedWhyNot) {
  const auto holds = [](double exponent, bool crowded) {
    const auto power = [=](int size) {
      return 1e-4 * std::pow(std::max(1.0, std::log2(size)), exponent);
    };
    return figure1_claims(measured({{"intercomm_merge", power}}, 0.01, true, crowded))
        .front()
        .holds;
  };
  EXPECT_FALSE(holds(1, false));
  EXPECT_FALSE(holds(1, true)) << "cores that are shared make nothing cheaper";
  EXPECT_TRUE(holds(2, false));
  EXPECT_FALSE(holds(4, false));
  EXPECT_TRUE(holds(4, true));
}

TEST(Figure1, HasNoClaimsAboutWhatWasNotMeasured) {
  EXPECT_THAT(figure1_claims(measured({{"range", flat(1e-8)}})), IsEmpty());
}

TEST(Figure1, RefusesTimesOfTooFewSamples) {
  EXPECT_THROW(figure1_claims(measured({{"comm_create", flat(1e-3)}}, 0, false)),
               std::invalid_argument);
}

TEST(Guidelines, AreViolatedOnlyIfIntervalsDoNotOverlap) {
  using enum Guideline::Verdict;
  const auto verdict = [](double create_group, double spread, bool intervals = true) {
    return judged(measured({{"create_group", flat(create_group)}, {"intercomm_merge", flat(1e-3)}},
                           spread, intervals))
        .front()
        .verdict;
  };
  EXPECT_EQ(verdict(1e-4, 0.01), holds);
  EXPECT_EQ(verdict(1.1e-3, 0.2), holds);
  EXPECT_EQ(verdict(1.1e-3, 0.01), violated);
  EXPECT_EQ(verdict(1e-4, 0.01, false), too_few_samples);
  EXPECT_THAT(judged(measured({{"create_group", flat(1e-3)}})), IsEmpty());
}

}  // namespace
}  // namespace regroup::measurements_test
