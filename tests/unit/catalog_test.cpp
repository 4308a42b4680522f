// SPDX-License-Identifier: BSD-3-Clause
#include "library/catalog.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

#include "balancers/balancers.hpp"
#include "library/resolve.hpp"
#include "regroup/program.hpp"

namespace regroup::catalog_test {
namespace {

using testing::ExitedWithCode;
using testing::HasSubstr;

// Rows that a program of one's own adds: those that can be used reach the lists, the others are
// told.

constexpr std::array good{integer_option("patience", "3", 1, 9, "of the leader")};
constexpr std::array bad_fallback{integer_option("patience", "0", 1, 9, "of the leader")};
constexpr std::array bad_name{integer_option("Patience", "3", 1, 9, "of the leader")};
constexpr std::array column{integer_option("seed", "3", 1, 9, "of the leader")};

BalancerEntry balancer(std::string_view name, std::span<const OptionSpec> options = good) {
  return {{name, "waits", options}, Regrouping::never, Shapes::ranges, make_none, draws_nothing};
}

std::string refusal(const std::function<void(Catalog&)>& add) {
  Catalog catalog = standard_catalog();
  add(catalog);
  try {
    check_added(catalog, standard_catalog());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const BalancerEntry& row) {
  return refusal([&](Catalog& catalog) { catalog.balancers.push_back(row); });
}

TEST(AddedRows, AreRefusedWhereTheyCannotBeUsed) {
  EXPECT_EQ(refusal(balancer("patient")), "");
  EXPECT_THAT(refusal(balancer("none")), HasSubstr("'none' was added, whose name another one has"));
  EXPECT_THAT(refusal(balancer("")), HasSubstr("allowed in its name: a-z, 0-9 and _"));
  EXPECT_THAT(refusal(balancer("a, b")), HasSubstr("balancer 'a, b' was added; allowed"));
  EXPECT_THAT(refusal(balancer("patient", bad_name)), HasSubstr("the option 'Patience'; allowed"));
  EXPECT_THAT(refusal(balancer("patient", bad_fallback)),
              HasSubstr("'0' is no value of patience; allowed: integer from 1 to 9"));
  BalancerEntry hollow = balancer("patient");
  hollow.make = nullptr;
  EXPECT_THAT(refusal(hollow), HasSubstr("'patient' was added without its code"));
}

TEST(AddedRows, TakeNothingAwayAndAddToNoListOfTheEngine) {
  EXPECT_THAT(refusal([](Catalog& catalog) { catalog.walkers.erase(catalog.walkers.begin()); }),
              HasSubstr("walker"));
  EXPECT_THAT(refusal([](Catalog& catalog) { catalog.engines.push_back(catalog.engines.back()); }),
              HasSubstr("engines nothing can be added"));
}

TEST(AddedRows, OfStrategiesCanBeMeasured) {
  Catalog catalog = standard_catalog();
  catalog.strategies.push_back({.name = "mine", .help = "mine"});
  name_in_measurements(catalog);
  for (const char* kind : {"creation", "collectives"}) {
    const auto& options = find_entry(catalog.measurements, kind)->options;
    EXPECT_EQ(find_entry(options, "communicator")->words.back(), "mine");
    EXPECT_EQ(find_entry(options, "samples")->name, "samples");
  }
  const auto words =
      find_entry(find_entry(catalog.measurements, "sort")->options, "communicator")->words;
  EXPECT_THAT(words, testing::IsSupersetOf({"range", "mine", "sample_sort"}));
  EXPECT_THAT(words, testing::Not(testing::Contains("dup")));
}

/// The command, in a process of its own: the standard catalog is one for each process.
void list(AddRows add_rows) {
  char program[] = "patient";
  char command[] = "list";
  char word[] = "balancers";
  char* arguments[] = {program, command, word, nullptr};
  std::exit(command_main(3, arguments, add_rows));
}

TEST(AddedRowsDeathTest, ReachTheCommandOrEndIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(list([](Catalog& catalog) { catalog.balancers.push_back(balancer("patient")); }),
              ExitedWithCode(0), "");
  EXPECT_EXIT(list([](Catalog& catalog) { catalog.balancers.push_back(balancer("none")); }),
              ExitedWithCode(2), "balancer 'none' was added, whose name another one has");
  EXPECT_EXIT(
      list([](Catalog& catalog) { catalog.balancers.push_back(balancer("patient", column)); }),
      ExitedWithCode(2), "the option 'seed', which is a column of runs.csv already");
}

Scenario creation(std::string strategy, std::string pattern, int ranks, int group_size) {
  Scenario m;
  m.measure = with_fallbacks(*find_entry(measurement_kinds(), "creation"));
  m.measure.options.set("communicator", std::move(strategy));
  m.measure.options.set("pattern", std::move(pattern));
  m.measure.options.set("group_size", std::to_string(group_size));
  m.ranks = ranks;
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

TEST(Measurement, OfNodesIsImpossibleOnlyWhereTheyAreKnown) {
  const Scenario across = creation("create_group", "across_nodes", 4, 2);
  const NodeMap one({0, 0, 0, 0});
  const NodeMap two({0, 0, 1, 1});
  EXPECT_TRUE(needs_nodes(across));
  EXPECT_FALSE(needs_nodes(creation("create_group", "one_group", 4, 2)));
  EXPECT_EQ(impossible(across), "");
  EXPECT_EQ(impossible(across, standard_catalog(), two), "");
  EXPECT_EQ(impossible(across, standard_catalog(), one),
            "no group of 2 is across_nodes: 4 ranks are on 1 node, at most 4 on one");
  EXPECT_NE(impossible(creation("create_group", "within_node", 4, 3), standard_catalog(), two), "");
  // Not every set of ranks is a range.
  const NodeMap mixed({0, 0, 1, 0, 1, 1});
  EXPECT_NE(impossible(creation("range", "within_node", 6, 3), standard_catalog(), mixed), "");
  EXPECT_EQ(impossible(creation("create_group", "within_node", 6, 3), standard_catalog(), mixed),
            "");
  EXPECT_EQ(layers_of(across, standard_catalog(), two).front().size(), 2u);
}

TEST(Measurement, IsTheSameWhateverDoesNotApplyToIt) {
  Scenario copy = creation("dup", "halves", 8, 2);
  settle(copy);
  EXPECT_EQ(fingerprint(copy), fingerprint(creation("dup", "one_group", 8, 8)));
  Scenario halves = creation("range", "halves", 8, 2);
  settle(halves);
  EXPECT_EQ(fingerprint(halves), fingerprint(creation("range", "halves", 8, 4)));
}

Scenario items(std::string_view walker, double item_ms) {
  Scenario m;
  m.measure = with_fallbacks(*find_entry(measurement_kinds(), "items"));
  m.measure.options.set("group_size", "4");
  m.walker = with_fallbacks(*find_entry(standard_catalog().walkers, walker));
  m.item_ms = item_ms;
  m.ranks = 8;
  return m;
}

TEST(Measurement, OfItemsIsTheSameWhateverTheirTimeWhereTheWalkerTakesWhatItTakes) {
  for (const WalkerEntry& walker : standard_catalog().walkers) {
    Scenario one = items(walker.name, 1);
    Scenario two = items(walker.name, 2);
    settle(one);
    settle(two);
    EXPECT_EQ(fingerprint(one) == fingerprint(two), !walker.timed) << walker.name;
  }
}

Scenario sort(std::string strategy, int ranks, std::string assignment = "greedy") {
  Scenario m;
  m.measure = with_fallbacks(*find_entry(measurement_kinds(), "sort"));
  m.measure.options.set("communicator", std::move(strategy));
  m.measure.options.set("assignment", std::move(assignment));
  m.measure.options.set("elements_per_rank", "16");
  m.ranks = ranks;
  return m;
}

TEST(Measurement, OfASortThatDividesNobodyIsTheSameWhateverTheAssignment) {
  const auto settled = [](Scenario m) {
    settle(m);
    return fingerprint(m);
  };
  EXPECT_EQ(settled(sort("sample_sort", 4, "deterministic")), settled(sort("sample_sort", 4)));
  EXPECT_NE(settled(sort("range", 4, "deterministic")), settled(sort("range", 4)));
  EXPECT_EQ(settled(sort("range", 1, "deterministic")), settled(sort("std_sort", 1)));
  EXPECT_EQ(settled(sort("sample_sort", 1)), settled(sort("std_sort", 1)));
}

TEST(Measurement, OfASortOnOneRankFitsThereAlone) {
  EXPECT_TRUE(fits(sort("std_sort", 1)));
  EXPECT_FALSE(fits(sort("std_sort", 2)));
  EXPECT_EQ(impossible(sort("std_sort", 2)), "std_sort sorts on one rank only");
  EXPECT_EQ(impossible(sort("range", 2)), "");
  EXPECT_EQ(strategy_of(sort("range", 2)), "range");
  EXPECT_EQ(strategy_of(sort("sample_sort", 2)), "");
  EXPECT_TRUE(layers_of(sort("range", 2)).empty());
}

TEST(Measurement, OfItemsKeepsItsWalkerInJson) {
  const Scenario m = items("lennard_jones", 3);
  const Scenario back = scenario_from_json(to_json(m));
  EXPECT_EQ(back.walker, m.walker);
  EXPECT_EQ(back.item_ms, 3);
  EXPECT_EQ(fingerprint(back), fingerprint(m));
}

TEST(Measurement, GoesThroughJsonUnchanged) {
  Scenario m = creation("range", "halves", 8, 4);
  m.seed = 9;
  m.timeout_s = 3;
  EXPECT_EQ(to_json(scenario_from_json(to_json(m))), to_json(m));
  EXPECT_FALSE(scenario_from_json(to_json(m)).is_run());
}

TEST(Measurement, ThatCannotBeMadeIsRefused) {
  Scenario damaged = creation("range", "halves", 8, 4);
  damaged.measure.name = "destruction";
  EXPECT_THROW(scenario_from_json(to_json(damaged)), std::invalid_argument);
  damaged = creation("range", "halves", 0, 4);
  EXPECT_THROW(scenario_from_json(to_json(damaged)), std::invalid_argument);
  damaged = creation("range", "bogus", 8, 4);
  EXPECT_THROW(scenario_from_json(to_json(damaged)), std::invalid_argument);
}

TEST(Measurement, HasAFingerprintThatTheTimeLimitDoesNotChange) {
  Scenario m = creation("range", "halves", 8, 4);
  const std::string before = fingerprint(m);
  m.timeout_s = 3;
  EXPECT_EQ(fingerprint(m), before);
  m.seed = 9;
  EXPECT_NE(fingerprint(m), before);
}

/// Results that are there have these names.
TEST(Measurement, KeepsItsName) {
  Scenario m = creation("range", "halves", 8, 4);
  m.experiment = "x";
  EXPECT_EQ(fingerprint(m), "76e53defc30e106c");
}

}  // namespace
}  // namespace regroup::catalog_test
