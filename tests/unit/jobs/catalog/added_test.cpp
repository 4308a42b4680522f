// SPDX-License-Identifier: BSD-3-Clause
//
// Rows that a program of one's own adds: those that can be used reach the lists, the others are
// told.
#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

#include "balancers/balancers.hpp"
#include "library/catalog.hpp"
#include "library/resolve.hpp"
#include "regroup/program.hpp"

namespace regroup {
namespace {

using testing::ExitedWithCode;
using testing::HasSubstr;

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

}  // namespace
}  // namespace regroup
