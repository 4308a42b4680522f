// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "kernel/bound.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/workloads/measured_speedup.hpp"
#include "regroup/workload.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::speedups_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ItemTime with(const Choice& speedup, double jitter = 0, std::uint64_t stream = 1'000'004) {
  const auto* entry = find_entry(speedups(), speedup.name);
  return {entry->make(speedup.options, 0.1), jitter, stream};
}

TEST(ItemTime, IsDividedByTheRanksWithPerfectSpeedUp) {
  const ItemTime time(with({"perfect", {}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.1);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.025);
  EXPECT_DOUBLE_EQ(time.seconds(3), 0.1 / 3);
}

TEST(ItemTime, KeepsItsSerialFractionWithAmdahl) {
  const ItemTime time(with({"amdahl", {{"serial_fraction", "0.2"}}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.1);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.04);
  EXPECT_NEAR(time.seconds(1'000'000), 0.02, 1e-6);
}

TEST(ItemTime, GrowsWithTheLevelsOfATreeWithOverhead) {
  const ItemTime time(with({"overhead", {{"overhead_ms", "2"}, {"overhead_per_log2_ms", "3"}}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.102);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.002 + 0.025 + 0.006);
  EXPECT_DOUBLE_EQ(time.seconds(64), 0.002 + 0.1 / 64 + 0.018);
}

TEST(ItemTime, IsTheSameForEveryItemWithoutJitter) {
  const ItemTime time(with({"perfect", {}}));
  EXPECT_FALSE(time.varies());
  EXPECT_EQ(time.seconds(4, 12, 1), time.seconds(4));
  EXPECT_EQ(time.seconds(4, 16, 280), time.seconds(4));
}

TEST(EverySpeedUp, GivesOneRankAtLeastTheItemsOwnTime) {
  for (const SpeedupEntry& entry : speedups()) {
    if (entry.name == "measured") continue;  // needs a file
    const ItemTime time(with(with_fallbacks(entry)));
    EXPECT_GE(time.seconds(1), 0.1) << entry.name;
    for (int ranks = 1; ranks <= 4096; ranks *= 2) {
      EXPECT_GE(time.seconds(ranks), 0.1 / ranks) << entry.name << ' ' << ranks;
    }
  }
}

class Jitter : public testing::TestWithParam<double> {};

TEST_P(Jitter, IsPositiveAndKeepsTheMeanWithTheDeviationAskedFor) {
  constexpr int items = 200'000;
  const ItemTime time(with({"perfect", {}}, GetParam()));
  double sum = 0;
  double squares = 0;
  for (int item = 1; item <= items; ++item) {
    const double factor = time.seconds(4, 8, item) / time.seconds(4);
    ASSERT_GT(factor, 0);
    sum += factor;
    squares += factor * factor;
  }
  const double mean = sum / items;
  EXPECT_TRUE(time.varies());
  EXPECT_NEAR(mean, 1, 0.01 * GetParam());
  EXPECT_NEAR(std::sqrt(squares / items - mean * mean), GetParam(), 0.02 * GetParam());
}

INSTANTIATE_TEST_SUITE_P(ItemTime, Jitter, testing::Values(0.01, 0.1, 0.5));

TEST(ItemTimeJitter, BelongsToTheItemAndTheStreamAndNotToTheGroup) {
  const ItemTime time(with({"perfect", {}}, 0.2));
  EXPECT_DOUBLE_EQ(time.seconds(4, 8, 17), 2 * time.seconds(8, 8, 17));
  EXPECT_NE(time.seconds(4, 8, 17), time.seconds(4, 8, 16));
  EXPECT_NE(time.seconds(4, 8, 17), time.seconds(4, 4, 17));
  EXPECT_NE(with({"perfect", {}}, 0.2, 1).seconds(4, 8, 17),
            with({"perfect", {}}, 0.2, 2).seconds(4, 8, 17));
  EXPECT_EQ(with({"perfect", {}}, 0.2).seconds(1, 8, 17), 0x1.41d7c0318057ep-4);
}

constexpr std::string_view header =
    "run,ranks,walker,atoms,group_size,time_median_s,seed,setup_s,status,message,"
    "mpi_library,clock_error_us,schema\n";

/// Times for 1, 4 and 16 ranks, among other rows.
constexpr std::string_view one_setting =
    "a,16,lennard_jones,55,4,0.002,1,0.1,ok,\n"
    "b,16,lennard_jones,55,1,0.008,1,0.2,ok,\n"
    "c,16,lennard_jones,55,2,9,1,0.1,killed,by a signal\n"
    "d,16,lennard_jones,55,16,0.001,1,0.1,ok,\n";

/// Returns a file with `rows`, all of one library. Different clock errors do not separate them.
std::string file_of(std::string_view rows) {
  std::string text(header);
  int row = 0;
  for (const char character : rows) {
    if (character == '\n') text += ",MPI," + std::to_string(++row) + ",1";
    text += character;
  }
  return text;
}

TEST(MeasuredSpeedup, IsWhatWasMeasuredAndAPowerOfTheSizeBetween) {
  const TextFile file(file_of(one_setting));
  const SpeedupCurve curve = read_speedup(file.path(), 0);
  EXPECT_EQ(curve.relative_time(1), 1);
  EXPECT_EQ(curve.relative_time(4), 0.25);
  EXPECT_EQ(curve.relative_time(16), 0.125);
  EXPECT_NEAR(curve.relative_time(2), 1.0 / 2, 1e-14);  // as with perfect speed-up up to 4
  EXPECT_NEAR(curve.relative_time(3), 1.0 / 3, 1e-14);
  EXPECT_NEAR(curve.relative_time(8), 0.25 / std::sqrt(2.0), 1e-14);
  EXPECT_EQ(curve.relative_time(17), 0.125);
  EXPECT_EQ(curve.relative_time(1 << 20), 0.125);
}

TEST(MeasuredSpeedup, LiesBetweenItsNeighboursWhereLargerGroupsAreSlower) {
  const SpeedupCurve curve({{1, 4}, {2, 3}, {8, 12}, {9, 2}});
  double last = curve.relative_time(2);
  for (int ranks = 3; ranks <= 8; ++ranks) {
    EXPECT_GT(curve.relative_time(ranks), last);
    last = curve.relative_time(ranks);
  }
  EXPECT_EQ(last, 3);
  EXPECT_EQ(curve.relative_time(9), 0.5);
}

TEST(MeasuredSpeedup, TakesTheMedianOfRepetitionsAndSeeds) {
  const TextFile file(
      file_of("a,2,spin,,1,4,1,0,ok,\nb,2,spin,,2,1,1,0,ok,\nc,2,spin,,2,3,2,0,ok,\n"
              "d,2,spin,,2,2,3,0,ok,\n"));
  EXPECT_EQ(read_speedup(file.path(), 0).relative_time(2), 0.5);
}

constexpr std::string_view three_settings =
    "a,8,spin,,1,8,1,0,ok,\nb,8,spin,,2,4,1,0,ok,\n"
    "c,8,lennard_jones,55,1,9,1,0,ok,\nd,8,lennard_jones,55,2,3,1,0,ok,\n"
    "e,9,lennard_jones,55,1,9,1,0,ok,\nf,9,lennard_jones,55,2,2.25,1,0,ok,\n";

TEST(MeasuredSpeedup, IsOfTheSettingThatWasAskedFor) {
  const TextFile file(file_of(three_settings));
  EXPECT_EQ(read_speedup(file.path(), 1).relative_time(2), 1.0 / 2);
  EXPECT_EQ(read_speedup(file.path(), 2).relative_time(2), 1.0 / 3);
  EXPECT_EQ(read_speedup(file.path(), 3).relative_time(2), 1.0 / 4);
}

TEST(MeasuredSpeedup, SaysWhichSettingsThereAreWhereItMustBeToldOne) {
  const TextFile file(file_of(three_settings));
  const std::string there_are =
      ": items_setting must be one of the 3 settings in it: 1: ranks 8, walker spin; 2: ranks 8, "
      "walker lennard_jones, atoms 55; 3: ranks 9, walker lennard_jones, atoms 55";
  for (const int wrong : {0, 4}) {
    EXPECT_EQ(file.mistake<UserError>([&] { read_speedup(file.path(), wrong); }), there_are);
  }
}

TEST(MeasuredSpeedup, NeedsTheTimeOfOneRank) {
  const auto mistake = [](std::string_view rows) {
    const TextFile file(file_of(rows));
    return file.mistake<UserError>([&] { read_speedup(file.path(), 0); });
  };
  EXPECT_THAT(mistake("a,8,spin,,2,8,1,0,ok,\nb,8,spin,,1,8,1,0,failed,why\n"),
              HasSubstr("no row with group_size 1 ended well"));
  EXPECT_EQ(mistake("b,8,spin,,1,8,1,0,failed,why\n"), ": no row ended well");
}

TEST(MeasuredSpeedup, NamesTheLineOfWhatIsNoTimeOrNoSize) {
  for (const char* time : {"x", "0", "-1", "nan", "inf", "1e7", ""}) {
    const TextFile file(
        file_of("a,8,spin,,1,1,1,0,ok,\nb,8,spin,,2," + std::string(time) + ",1,0,ok,\n"));
    EXPECT_THAT(file.mistake<UserError>([&] { read_speedup(file.path(), 0); }),
                AllOf(HasSubstr(":3: "), HasSubstr("time_median_s; allowed: number from 1e-09")))
        << time;
  }
  for (const char* size : {"x", "0", "1.5", "1048577", ""}) {
    const TextFile file(file_of("a,8,spin,," + std::string(size) + ",1,1,0,ok,\n"));
    EXPECT_THAT(file.mistake<UserError>([&] { read_speedup(file.path(), 0); }),
                AllOf(HasSubstr(":2: "), HasSubstr("group_size; allowed: integer from 1")))
        << size;
  }
}

TEST(MeasuredSpeedup, NamesTheColumnThatIsNotThere) {
  const TextFile file("group_size,status,schema\n1,ok,1\n");
  EXPECT_THAT(file.mistake<UserError>([&] { read_speedup(file.path(), 0); }),
              HasSubstr("time_median_s"));
  EXPECT_THROW(read_speedup("/nowhere/items.csv", 0), UserError);
}

TEST(MeasuredSpeedup, HasABoundThatLeavesOutSizesOfNoUse) {
  // Two ranks are slower than one, four are more than four times as fast: the hull is a line to 4.
  const TextFile file(
      file_of("a,4,spin,,1,1,1,0,ok,\nb,4,spin,,2,2,1,0,ok,\nc,4,spin,,4,0.125,1,0,ok,\n"));
  const auto* entry = find_entry(speedups(), "measured");
  const ItemTime time(entry->make({{"items_file", file.path()}, {"items_setting", "0"}}, 0.5), 0,
                      1);
  EXPECT_EQ(time.seconds(2), 1);
  const std::vector<std::int64_t> two{16, 16};
  EXPECT_DOUBLE_EQ(bound_s(two, time, 4), 2);  // one after the other, each on all four ranks
  const std::vector<std::int64_t> one{16};
  EXPECT_DOUBLE_EQ(bound_s(one, time, 3), 16 * time.seconds(3));
}

}  // namespace
}  // namespace regroup::speedups_test
