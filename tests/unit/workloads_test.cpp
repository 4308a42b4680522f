// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/workloads.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "kernel/starting_groups.hpp"
#include "regroup/workload.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::workloads_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Returns the items of `count` groups of four ranks, with `options` replacing the defaults.
Items items_of(std::string_view name, int count, const Options& options = {},
               std::uint64_t seed = 1) {
  const WorkloadEntry* entry = find_entry(workloads(), name);
  Choice choice = with_fallbacks(*entry);
  for (const auto& [key, value] : options) choice.options.set(key, value);
  return entry->items(choice.options, initial_groups(4 * count, 4), seed);
}

double mean(const Items& items) {
  return static_cast<double>(std::accumulate(items.begin(), items.end(), std::int64_t{0})) /
         static_cast<double>(items.size());
}

TEST(FixedWorkloads, GiveTheseItems) {
  EXPECT_THAT(items_of("cyclic", 10), ElementsAre(0, 40, 80, 120, 160, 200, 240, 280, 0, 40));
  EXPECT_THAT(items_of("cyclic_literal", 6), ElementsAre(0, 8, 16, 24, 0, 8));
  EXPECT_THAT(items_of("constant", 3, {{"mean_items", "7"}}), ElementsAre(7, 7, 7));
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "first"}}),
              ElementsAre(10, 0, 0, 0, 0));
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "middle"}}),
              ElementsAre(0, 0, 10, 0, 0));
  EXPECT_THAT(items_of("single", 5, {{"mean_items", "2"}, {"long_group", "last"}}),
              ElementsAre(0, 0, 0, 0, 10));
  EXPECT_THAT(items_of("single", 1, {{"mean_items", "2"}, {"long_group", "middle"}}),
              ElementsAre(2));
}

TEST(BlocksWorkload, GivesAllToTheGroupsAtOneEnd) {
  EXPECT_THAT(items_of("blocks", 4,
                       {{"mean_items", "3"}, {"long_fraction", "0.5"}, {"long_side", "right"}}),
              ElementsAre(0, 0, 6, 6));
  EXPECT_THAT(
      items_of("blocks", 4, {{"mean_items", "3"}, {"long_fraction", "0.5"}, {"long_side", "left"}}),
      ElementsAre(6, 6, 0, 0));
  EXPECT_THAT(items_of("blocks", 4, {{"mean_items", "2"}, {"long_fraction", "0.375"}}),
              ElementsAre(0, 0, 4, 4));
  EXPECT_THAT(items_of("blocks", 4, {{"mean_items", "2"}, {"long_fraction", "0.3"}}),
              ElementsAre(0, 0, 0, 8));
  EXPECT_THAT(
      items_of("blocks", 5, {{"mean_items", "2"}, {"long_fraction", "0.6"}, {"long_side", "left"}}),
      ElementsAre(4, 3, 3, 0, 0));
  EXPECT_THAT(items_of("blocks", 3, {{"mean_items", "2"}, {"long_fraction", "0"}}),
              ElementsAre(0, 0, 6));
}

class RandomWorkload : public testing::TestWithParam<const char*> {};

TEST_P(RandomWorkload, HasTheMeanThatIsAskedFor) {
  for (const int wanted : {20, 1000}) {
    const Items items = items_of(GetParam(), 100'000, {{"mean_items", std::to_string(wanted)}});
    EXPECT_NEAR(mean(items), wanted, 0.03 * wanted);
    EXPECT_GE(*std::ranges::min_element(items), 0);
  }
}

TEST_P(RandomWorkload, DependsOnTheSeedAndKeepsItsFirstGroupsWhenTheRunGrows) {
  EXPECT_THAT(items_of(GetParam(), 50, {{"mean_items", "0"}}), testing::Each(0));
  EXPECT_EQ(items_of(GetParam(), 50, {}, 1), items_of(GetParam(), 50, {}, 1));
  EXPECT_NE(items_of(GetParam(), 50, {}, 1), items_of(GetParam(), 50, {}, 2));
  Items longer = items_of(GetParam(), 50);
  longer.resize(10);
  EXPECT_EQ(items_of(GetParam(), 10), longer);
}

INSTANTIATE_TEST_SUITE_P(Each, RandomWorkload,
                         testing::Values("uniform", "exponential", "lognormal", "pareto"),
                         [](const auto& test) { return std::string(test.param); });

TEST(UniformWorkload, ReachesFromZeroToTwiceTheMean) {
  const Items items = items_of("uniform", 10'000, {{"mean_items", "5"}});
  EXPECT_EQ(*std::ranges::min_element(items), 0);
  EXPECT_EQ(*std::ranges::max_element(items), 10);
}

TEST(LognormalWorkload, IsConstantWithoutDeviation) {
  EXPECT_THAT(items_of("lognormal", 20, {{"mean_items", "9"}, {"log_stdev", "0"}}),
              testing::Each(9));
}

TEST(ParetoWorkload, HasASmallestValueAndAHeavyTail) {
  const Items items = items_of("pareto", 10'000, {{"mean_items", "300"}, {"tail_exponent", "1.5"}});
  EXPECT_EQ(*std::ranges::min_element(items), 100);
  EXPECT_GT(*std::ranges::max_element(items), 10'000);
}

// One draw in a billion, found by trying seeds, which would be 2·10^16 items.
TEST(ParetoWorkload, IsCutWhereSumsWouldNoLongerBeWholeNumbers) {
  EXPECT_THAT(items_of("pareto", 1, {{"mean_items", "1000000000"}, {"tail_exponent", "1.01"}},
                       1'075'020'372),
              ElementsAre(1'000'000'000'000'000));
}

// These must be the same on every machine.
TEST(RandomWorkloads, HaveTheseItems) {
  EXPECT_THAT(items_of("uniform", 6), ElementsAre(139, 146, 271, 35, 132, 213));
  EXPECT_THAT(items_of("exponential", 6), ElementsAre(96, 103, 468, 19, 89, 200));
  EXPECT_THAT(items_of("lognormal", 6), ElementsAre(84, 90, 517, 27, 79, 172));
  EXPECT_THAT(items_of("pareto", 6), ElementsAre(111, 113, 320, 89, 108, 149));
}

// Covers every row that needs no file, for any number of groups.
TEST(EveryWorkload, GivesEachGroupItemsNotBelowZero) {
  for (const WorkloadEntry& entry : workloads()) {
    const Choice choice = with_fallbacks(entry);
    if (choice.options.size() != entry.options.size()) continue;
    for (const int ranks : {1, 2, 3, 7, 64, 1023}) {
      const auto groups = initial_groups(ranks, 4);
      const Items items = entry.items(choice.options, groups, 1);
      EXPECT_EQ(items.size(), groups.size()) << entry.name;
      EXPECT_THAT(items, testing::Each(testing::Ge(0))) << entry.name;
    }
  }
}

class TraceFile : public TextFile {
 public:
  using TextFile::TextFile;
  Items items(int groups) const {
    return trace({{"trace_file", path()}}, initial_groups(groups, 1), /*seed=*/1);
  }
  /// Returns the error for three groups.
  std::string mistake() const {
    return TextFile::mistake<std::invalid_argument>([&] { items(3); });
  }
};

TEST(Trace, ReadsPlainNumbersOrTheColumnOfItsName) {
  EXPECT_THAT(TraceFile("3\n0\n12\n").items(3), ElementsAre(3, 0, 12));
  const TraceFile file("walker,items,note\n0,5,\"long, but fine\"\n1,6,\n2,7,x\n");
  EXPECT_THAT(file.items(3), ElementsAre(5, 6, 7));
  EXPECT_THAT(TraceFile("items\n5\n6\n").items(2), ElementsAre(5, 6));
  EXPECT_THAT(TraceFile("items\r\n5\r\n\r\n6").items(2), ElementsAre(5, 6));
  EXPECT_THAT(TraceFile("\xEF\xBB\xBFitems\r\n5\r\n6\r\n").items(2), ElementsAre(5, 6));
  EXPECT_THAT(TraceFile("\xEF\xBB\xBF"
                        "5\n6\n")
                  .items(2),
              ElementsAre(5, 6));
}

TEST(Trace, IsAFileOfALimitedSize) {
  const auto items = [](const std::string& path) {
    return [path] { trace({{"trace_file", path}}, initial_groups(3, 1), /*seed=*/1); };
  };
  EXPECT_THAT(items("/dev/zero"), ThrowsMessage<std::invalid_argument>(HasSubstr("regular")));
  EXPECT_THAT(items("/tmp"), ThrowsMessage<std::invalid_argument>(HasSubstr("regular")));
  EXPECT_THAT(items("/no/such"), ThrowsMessage<std::invalid_argument>(HasSubstr("be read")));
  const TraceFile file("1\n");
  std::filesystem::resize_file(file.path(), 100'000'001);  // a sparse file
  EXPECT_THAT(items(file.path()), ThrowsMessage<std::invalid_argument>(HasSubstr("100 MB")));
}

TEST(Trace, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(TraceFile("items\n5\nmany\n6\n").mistake(),
            ":3: 'many' is not a number of items; allowed: integer from 0 to 1000000000000000");
  EXPECT_THAT(TraceFile("5\n-1\n6\n").mistake(), testing::StartsWith(":2: '-1' is not a number"));
  EXPECT_THAT(TraceFile("5\n1.5\n6\n").mistake(), testing::StartsWith(":2: '1.5' is not a number"));
  EXPECT_EQ(TraceFile("walker,items\n0,5\n1\n").mistake(), ":3: the row has no column 'items'");
  EXPECT_EQ(TraceFile("walker,length\n0,5\n").mistake(),
            ":1: neither a number nor a column 'items'");
  EXPECT_THAT(TraceFile("items\n5\n\"6\n7\n").mistake(), testing::StartsWith(":3: not CSV"));
  EXPECT_THAT(TraceFile("items\n5\n6\"\n7\n").mistake(), testing::StartsWith(":3: not CSV"));
  EXPECT_EQ(TraceFile("5\n6\n").mistake(), ": 2 rows of items for 3 walkers");
  EXPECT_EQ(TraceFile("5\n6\n7\n8\n").mistake(), ": 4 rows of items for 3 walkers");
  EXPECT_EQ(TraceFile("").mistake(), ": 0 rows of items for 3 walkers");
}

TEST(Trace, EndsAfterAsManyRowsAsThereCanBeWalkers) {
  std::string rows;
  for (int i = 0; i < (1 << 20) + 2; ++i) rows += "5\n";
  EXPECT_EQ(TraceFile(rows).mistake(), ":1048577: more rows than the maximum number of walkers");
}

Wants wants_of(std::string_view name, const Options& options, int walkers, std::uint64_t seed = 1) {
  return find_entry(wants(), name)->of(options, initial_groups(4 * walkers, 4), seed);
}

TEST(Wants, AreThoseOfAGroupOrAsManyForAll) {
  EXPECT_THAT(wants_of("group_size", {}, 3), ElementsAre(4, 4, 4));
  EXPECT_THAT(wants_of("fixed", {{"wanted_ranks", "7"}}, 2), ElementsAre(7, 7));
}

TEST(Wants, AreDrawnEvenlyAndByTheSeed) {
  const Options options{{"least_wanted_ranks", "3"}, {"most_wanted_ranks", "6"}};
  const Wants drawn = wants_of("uniform", options, 4000);
  for (const int number : {3, 4, 5, 6}) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, number)), 1000, 120) << number;
  }
  EXPECT_EQ(drawn, wants_of("uniform", options, 4000));
  EXPECT_NE(drawn, wants_of("uniform", options, 4000, 2));
  EXPECT_THAT(wants_of("uniform", {{"least_wanted_ranks", "5"}, {"most_wanted_ranks", "5"}}, 9),
              Each(5));
}

TEST(Wants, CannotBeMoreAtLeastThanAtMost) {
  EXPECT_THAT(
      [] {
        wants_of("uniform", {{"least_wanted_ranks", "5"}, {"most_wanted_ranks", "4"}}, 1);
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("least_wanted_ranks 5 is more than most_wanted_ranks 4")));
}

class TaskFile : public TextFile {
 public:
  using TextFile::TextFile;
  /// Returns the wants of two walkers.
  Wants wants() const { return wants_of("trace", {{"wants_file", path()}}, 2); }
  std::string mistake() const {
    return TextFile::mistake<std::invalid_argument>([&] { wants(); });
  }
};

TEST(Wants, AreAColumnOfATrace) {
  EXPECT_THAT(TaskFile("items,wants\n10,3\n20,1\n").wants(), ElementsAre(3, 1));
  EXPECT_EQ(TaskFile("items\n10\n20\n").mistake(), ":1: there is no column 'wants'");
  EXPECT_EQ(TaskFile("items,wants\n10,0\n20,1\n").mistake(),
            ":2: '0' is not a number of ranks; allowed: integer from 1 to 1048576");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n20,-4\n").mistake(),
            ":3: '-4' is not a number of ranks; allowed: integer from 1 to 1048576");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n20\n").mistake(), ":3: the row has no column 'wants'");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n").mistake(), ": 1 rows of wants for 2 walkers");
}

}  // namespace
}  // namespace regroup::workloads_test
