// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements of constructors: the figures exist, and the exact ones are correct.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "measurements/creation.hpp"
#include "regroup/strategy.hpp"
#include "tests/mpi/measured.hpp"

namespace regroup::measure_creation_test {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;

Measurement measurement(std::string_view strategy, std::string_view pattern, int group_size) {
  return measurement_of("creation", {{"communicator", std::string(strategy)},
                                     {"pattern", std::string(pattern)},
                                     {"group_size", std::to_string(group_size)},
                                     {"samples", "2"},
                                     {"item_ms", "0.5"},
                                     {"late_ms", "0.5"},
                                     {"attributes", "0"},
                                     {"in_flight", "0"},
                                     {"storm_regroupings", "0"}});
}

int size_of(const Pattern& pattern) {
  return pattern.own_size != nullptr ? pattern.own_size(world().ranks) : std::min(3, world().ranks);
}

TEST(Creation, IsMeasuredForEveryStrategyAndPatternThatFit) {
  const NodeMap this_one(std::vector<int>(static_cast<std::size_t>(world().ranks), 0));
  for (const Strategy& strategy : strategies()) {
    if (strategy.make == nullptr) continue;
    for (const Pattern& pattern : patterns()) {
      SCOPED_TRACE(std::string(strategy.name) + ", " + std::string(pattern.name));
      const bool any = strategy.serves_balancers();
      const int size = any ? size_of(pattern) : world().ranks;
      const Measurement m = measurement(strategy.name, pattern.name, size);
      if (!hindrance(m, world().ranks, 1).empty()) continue;
      if (pattern.layers_on != nullptr &&
          !hindrance_on(this_one, pattern, size, world().ranks, strategy).empty()) {
        EXPECT_THROW(measure(m), Unsupported);
        continue;
      }
      const auto figures = measure(m).figures;
      EXPECT_LE(figures.at("create_min_s"), figures.at("create_median_s"));
      EXPECT_GT(figures.at("create_median_s"), 0);
      EXPECT_EQ(figures.at("communicators_alive_before"), 0);
      EXPECT_EQ(figures.at("communicators_alive_after"), 0);
      // The machine may have no smaller part for a split.
      const bool none = strategy.local() || figures.at("formed_ranks_max") == 0;
      EXPECT_EQ(figures.at("communicators_alive_max") == 0, none);
    }
  }
}

TEST(Creation, TellsWhatOutsidersLoseWhereThereAreAny) {
  const int all = world().ranks;
  EXPECT_THAT(measure(measurement("create_group", "one_group", all)).figures,
              Not(Contains(Key("bystander_s"))));
  if (all == 1) return;
  Measurement m = measurement("create_group", "one_group", all - 1);
  m.options.set("samples", "6");
  const auto figures = measure(m).figures;
  EXPECT_THAT(figures, Contains(Key("busy_create_s")));
  EXPECT_LE(figures.at("bystander_low_s"), figures.at("bystander_s"));
  EXPECT_GE(figures.at("bystander_high_s"), figures.at("bystander_s"));
}

TEST(Creation, HasNoIntervalOfTooFewSamples) {
  const int some = std::max(1, world().ranks - 1);
  Measurement m = measurement("create_group", "one_group", some);
  const auto ends = [&] {
    return std::ranges::count_if(measure(m).figures, [](const auto& figure) {
      return figure.first.ends_with("_low_s") || figure.first.ends_with("_high_s");
    });
  };
  EXPECT_EQ(ends(), 0);
  m.options.set("samples", "6");
  EXPECT_EQ(ends(), some == world().ranks ? 4 : 6);
}

TEST(Creation, TellsTheEffectOfALateMemberWhereItKeepsOthersWaiting) {
  const int all = world().ranks;
  const auto figures = measure(measurement("comm_split", "one_group", all)).figures;
  EXPECT_EQ(figures.contains("late_create_s"), all > 1);
}

TEST(Creation, CountsTheGroupsAndTheirSizes) {
  const auto figures = measure(measurement("comm_split", "disjoint", 2)).figures;
  EXPECT_EQ(figures.at("formed_groups"), (world().ranks + 1) / 2);
  EXPECT_EQ(figures.at("formed_ranks_min"), world().ranks % 2 == 1 ? 1 : 2);
  EXPECT_EQ(figures.at("formed_ranks_max"), std::min(2, world().ranks));
}

TEST(Creation, OfSeveralAtOnceTellsWhatWorkHides) {
  const int ranks = world().ranks;
  const auto figures_of = [&](const char* strategy, const char* pattern, int size) {
    Measurement m = measurement(strategy, pattern, size);
    m.options.set("in_flight", "5");
    m.options.set("samples", "6");
    return measure(m).figures;
  };
  const auto figures = figures_of("idup", "one_group", ranks);
  EXPECT_GT(figures.at("in_flight_s"), 0);
  EXPECT_LE(figures.at("hidden_fraction_low"), figures.at("hidden_fraction"));
  EXPECT_LE(figures.at("hidden_fraction"), figures.at("hidden_fraction_high"));
  EXPECT_GE(figures.at("communicators_alive_max"), 5);
  EXPECT_EQ(figures.at("communicators_alive_after"), 0);
  // Blocking creations, and ranges, which exist at once, have no hidden fraction.
  for (const char* strategy : {"dup", "range", "icreate_group"}) {
    EXPECT_THAT(figures_of(strategy, "one_group", ranks), Not(Contains(Key("hidden_fraction"))))
        << strategy;
  }
  const Pattern& random = *find_entry(patterns(), "random_subset");
  if (ranks < 5 || !forms_beside_work("icreate_group", random.layers(ranks, 3, 1))) return;
  EXPECT_GT(figures_of("icreate_group", "random_subset", 3).at("in_flight_s"), 0);
}

/// The attributes exist during the measurement and are deleted afterwards.
TEST(Creation, CopiesAsManyAttributesAsAreWanted) {
  for (const char* strategy : {"dup", "idup", "create_group"}) {
    SCOPED_TRACE(strategy);
    Measurement m = measurement(strategy, "one_group", world().ranks);
    m.options.set("attributes", "100");
    EXPECT_GT(measure(m).figures.at("create_median_s"), 0);
  }
}

/// The storm leaves no communicator behind; those alive during it reduce the number available.
TEST(Creation, CountsTheCommunicatorsThatCanBeAliveBeforeAndAfterAStorm) {
  if (world().ranks > 3) GTEST_SKIP() << "thousands of communicators of many ranks take minutes";
  for (const char* strategy : {"create_group", "range", "dup"}) {
    SCOPED_TRACE(strategy);
    const bool whole = std::string_view(strategy) == "dup";
    Measurement m = measurement(strategy, "one_group", whole ? world().ranks : 1);
    EXPECT_THAT(measure(m).figures, Not(Contains(Key("communicators_limit_common"))));
    m.options.set("storm_regroupings", "600");
    const auto figures = measure(m).figures;
    const auto figure = [&](const char* name) { return figures.at(name); };
    EXPECT_EQ(figure("storm_leaked"), 0);
    EXPECT_EQ(figure("communicators_alive_after"), 0);
    EXPECT_GT(figure("communicators_limit_common"), 1000);
    EXPECT_LE(figure("storm_limit_common"), figure("communicators_limit_common"));
    if (std::string_view(strategy) == "range") {
      EXPECT_EQ(figure("storm_alive"), 0);
      EXPECT_EQ(figure("storm_limit_common"), figure("communicators_limit_common"));
    } else if (whole || world().ranks == 1) {
      EXPECT_GT(figure("storm_alive"), 200) << "of 256, which 600 regroupings hardly all meet";
      EXPECT_LE(figure("storm_alive"), 256);
    } else {
      EXPECT_GT(figure("storm_alive"), 50);
    }
    if (figure("communicators_limit_common") == 4096) {
      EXPECT_THAT(figures, Not(Contains(Key("storm_lost"))));
      continue;
    }
    EXPECT_GE(figure("storm_lost"), 0);
    EXPECT_EQ(figure("storm_lost") + figure("storm_alive") + figure("storm_limit_common"),
              figure("communicators_limit_common"));
    if (whole || world().ranks == 1) {
      EXPECT_EQ(figure("storm_lost"), 0) << "all have the same";
    }
  }
}

}  // namespace
}  // namespace regroup::measure_creation_test
