// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/catalog.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

#include "balancers/balancers.hpp"
#include "regroup/program.hpp"
#include "tests/tasks.hpp"

namespace regroup::catalog_test {
namespace {

using testing::ExitedWithCode;
using testing::HasSubstr;

// Rows added by a user's program: valid rows reach the lists, the others are reported.

constexpr std::array good{integer_option("patience", "3", 1, 9, "of the leader")};
constexpr std::array bad_fallback{integer_option("patience", "0", 1, 9, "of the leader")};
constexpr std::array bad_name{integer_option("Patience", "3", 1, 9, "of the leader")};

BalancerEntry patient(std::string_view name, std::span<const OptionSpec> options = good) {
  return {{name, "waits", options}, Regrouping::never, Shapes::ranges, make_none, draws_nothing};
}

/// Returns the reason for refusing the rows added by `add`, or "" if they are accepted.
std::string refusal(AddRows add) {
  try {
    make_catalog(add);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Returns the reason for refusing a balancer, or "" if it is accepted.
std::string refusal(std::string_view name, std::span<const OptionSpec> options = good) {
  static BalancerEntry row;
  row = patient(name, options);
  return refusal([](Catalog& catalog) { catalog.balancers.push_back(row); });
}

TEST(AddedRows, AreRefusedWhereTheyCannotBeUsed) {
  EXPECT_EQ(refusal("patient"), "");
  EXPECT_THAT(refusal("none"), HasSubstr("balancer 'none' was added"));
  EXPECT_THAT(refusal(""), HasSubstr("allowed in its name: a-z, 0-9 and _"));
  EXPECT_THAT(refusal("a, b"), HasSubstr("balancer 'a, b' was added; allowed"));
  EXPECT_THAT(refusal("patient", bad_name), HasSubstr("the option 'Patience'; allowed"));
  EXPECT_THAT(refusal("patient", bad_fallback), HasSubstr("allowed: integer from 1 to 9"));
  EXPECT_THAT(refusal([](Catalog& catalog) {
                catalog.balancers.push_back(patient("patient"));
                catalog.balancers.back().make = nullptr;
              }),
              HasSubstr("'patient' was added without a function"));
  EXPECT_THAT(refusal([](Catalog& catalog) {
                CollectiveOperation unchecked = catalog.operations.front();
                unchecked.name = "unchecked";
                unchecked.expected = nullptr;
                catalog.operations.push_back(unchecked);
              }),
              HasSubstr("'unchecked' was added without a function"));
}

TEST(AddedRows, TakeNothingAway) {
  EXPECT_THAT(refusal([](Catalog& catalog) { catalog.walkers.erase(catalog.walkers.begin()); }),
              HasSubstr("walker"));
}

TEST(AddedRows, OfStrategiesCanBeMeasured) {
  const Catalog with_mine = make_catalog([](Catalog& catalog) {
    Strategy mine = *find_entry(catalog.strategies, "create_group");
    mine.name = "mine";
    catalog.strategies.push_back(mine);
  });
  for (const char* kind : {"creation", "collectives"}) {
    const auto& options = find_entry(with_mine.measurements, kind)->options;
    EXPECT_EQ(find_entry(options, "communicator")->words.back(), "mine");
    EXPECT_EQ(find_entry(options, "samples")->name, "samples");
  }
  const auto words =
      find_entry(find_entry(with_mine.measurements, "sort")->options, "communicator")->words;
  EXPECT_THAT(words, testing::IsSupersetOf({"range", "mine", "sample_sort"}));
  EXPECT_THAT(words, testing::Not(testing::Contains("dup")));
}

TEST(AddedRows, OfOperationsCanBeMeasured) {
  const Catalog with_mine = make_catalog([](Catalog& catalog) {
    CollectiveOperation mine = catalog.operations.front();
    mine.name = "mine";
    catalog.operations.push_back(mine);
  });
  const OptionSpec& option =
      *find_entry(find_entry(with_mine.measurements, "collectives")->options, "operation");
  EXPECT_EQ(option.words.back(), "mine");
  EXPECT_EQ(option.described.back().help, collective_operations().front().help);
  Measurement measurement;
  set_option(measurement, "operation", "mine", with_mine);
  EXPECT_EQ(measurement.operation, &with_mine.operations.back());
}

/// Runs `list balancers` and exits with its code.
void list(AddRows add_rows) {
  char program[] = "patient";
  char command[] = "list";
  char word[] = "balancers";
  char* arguments[] = {program, command, word, nullptr};
  std::exit(command_main(3, arguments, add_rows));
}

TEST(AddedRowsDeathTest, ReachTheCommandOrEndIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(list([](Catalog& catalog) { catalog.balancers.push_back(patient("patient")); }),
              ExitedWithCode(0), "");
  EXPECT_EXIT(list([](Catalog& catalog) { catalog.balancers.push_back(patient("none")); }),
              ExitedWithCode(2), "balancer 'none' was added");
}

Task measurement(std::string_view kind, NamedValues options) {
  Task task = usual_task(catalog(), find_entry(catalog().measurements, kind));
  Measurement& m = task.measurement();
  for (const auto& [name, value] : options) m.options.set(std::string(name), value);
  m.strategy = strategy(m.options.text("communicator"));
  return with(task, {{"ranks", "8"}});
}

Task creation() {
  return measurement("creation",
                     {{"communicator", "range"}, {"pattern", "halves"}, {"group_size", "4"}});
}

TEST(Measurement, OfItemsKeepsItsWalkerInJson) {
  const Task task = with(measurement("items", {{"communicator", "range"}, {"group_size", "4"}}),
                         {{"walker", "lennard_jones(atoms=13)"}, {"item_ms", "3"}});
  const Task back = task_from_json(to_json(task), catalog());
  EXPECT_EQ(back.measurement().walker->name, "lennard_jones");
  EXPECT_EQ(back.measurement().walker, task.measurement().walker);
  EXPECT_EQ(back.measurement().item_ms, 3);
  EXPECT_EQ(fingerprint(back), fingerprint(task));
}

TEST(Measurement, GoesThroughJsonUnchanged) {
  const Task task = with(creation(), {{"seed", "9"}, {"timeout_s", "3"}});
  const Task back = task_from_json(to_json(task), catalog());
  EXPECT_EQ(to_json(back), to_json(task));
  EXPECT_FALSE(back.is_run());
  EXPECT_EQ(back.strategy(), strategy("range"));
}

TEST(Measurement, ThatCannotBeMadeIsRefused) {
  Task damaged = creation();
  damaged.ranks = 0;
  EXPECT_THROW(task_from_json(to_json(damaged), catalog()), std::invalid_argument);
  damaged = creation();
  damaged.measurement().options.set("communicator", "bogus");
  EXPECT_THROW(task_from_json(to_json(damaged), catalog()), std::invalid_argument);
  std::string text = to_json(creation());
  text.replace(text.find("creation"), 8, "cremates");
  EXPECT_THROW(task_from_json(text, catalog()), std::invalid_argument);
}

TEST(Measurement, HasAFingerprintThatTheTimeLimitDoesNotChange) {
  EXPECT_EQ(fingerprint(with(creation(), {{"timeout_s", "3"}})), fingerprint(creation()));
  EXPECT_NE(fingerprint(with(creation(), {{"seed", "9"}})), fingerprint(creation()));
  /// Stored results of users contain this fingerprint.
  EXPECT_EQ(fingerprint(creation()), "cf1ce4e0960a9f00");
}

}  // namespace
}  // namespace regroup::catalog_test
