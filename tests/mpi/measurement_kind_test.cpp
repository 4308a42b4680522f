// SPDX-License-Identifier: BSD-3-Clause
//
// A kind of measurement consists of one file and one row of a table.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "measurements/summary.hpp"
#include "tests/mpi/measured.hpp"
#include "tests/outside/measurement_kind_example.cpp"

namespace regroup::measurement_kind_test {
namespace {

using testing::HasSubstr;
using testing::Key;
using testing::UnorderedElementsAre;

std::vector<MeasurementKind> kinds() {
  std::vector<MeasurementKind> all(measurement_kinds().begin(), measurement_kinds().end());
  all.push_back(barrier_kind());
  return all;
}

TEST(MeasurementKind, IsMeasuredLimitedAndDescribedByItsRow) {
  const std::vector<MeasurementKind> all = kinds();
  const MeasurementKind& kind = *find_entry(all, "barrier");
  const int half = (world().ranks + 1) / 2;
  for (const char* communicator : {"range", "create_group", "comm_split"}) {
    const Options options{
        {"communicator", communicator}, {"group_size", std::to_string(half)}, {"samples", "6"}};
    const Measurement measurement = measurement_of(kind, options);
    EXPECT_EQ(hindrance(measurement, world().ranks, 1), "");
    const Outcome outcome = measure(measurement);
    if (world().rank != 0) continue;
    EXPECT_THAT(outcome.figures, UnorderedElementsAre(Key("barrier_min_s"), Key("barrier_median_s"),
                                                      Key("barrier_low_s"), Key("barrier_high_s"),
                                                      Key("barrier_ranks")));
    EXPECT_EQ(outcome.figures.at("barrier_ranks"), half);
    EXPECT_EQ(outcome.samples.at("barrier_s").size(), 6u);
    const MeasuredSetting setting(kind, {{options, measurement.strategy, outcome.figures}}, 2,
                                  false);
    EXPECT_THAT(summary_of(setting), HasSubstr(communicator));
  }
  Measurement whole = measurement_of(kind, {{"communicator", "dup"}, {"group_size", "1"}});
  settle(whole, 4);
  EXPECT_EQ(whole.options.text("group_size"), "4");
  EXPECT_FALSE(is_left_out(whole, 4));
  EXPECT_TRUE(is_left_out(whole, 3));
  EXPECT_NE(hindrance(whole, 3, 1), "");
}

}  // namespace
}  // namespace regroup::measurement_kind_test
