// SPDX-License-Identifier: BSD-3-Clause
#include "library/describe.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Duration, IsRoundedUpToWholeSeconds) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(0.2), "1 s");
  EXPECT_EQ(duration(8), "8 s");
  EXPECT_EQ(duration(59.5), "1:00");
}

TEST(Duration, HasMinutesAndHoursWhereItIsLonger) {
  EXPECT_EQ(duration(723), "12:03");
  EXPECT_EQ(duration(3599), "59:59");
  EXPECT_EQ(duration(3600), "1:00:00");
  EXPECT_EQ(duration(3920), "1:05:20");
  EXPECT_EQ(duration(360'000), "100:00:00");
}

TEST(InFittingUnit, HasThreeDigits) {
  EXPECT_EQ(in_fitting_unit(1), "1.00 s");
  EXPECT_EQ(in_fitting_unit(12.34), "12.3 s");
  EXPECT_EQ(in_fitting_unit(0.00125), "1.25 ms");
  EXPECT_EQ(in_fitting_unit(83e-6), "83.0 µs");
  EXPECT_EQ(in_fitting_unit(-83e-6), "-83.0 µs");
  EXPECT_EQ(in_fitting_unit(123.4e-9), "123 ns");
}

TEST(InFittingUnit, TakesTheNextUnitForWhatRoundsUpToIt) {
  EXPECT_EQ(in_fitting_unit(0.9996), "1.00 s");
  EXPECT_EQ(in_fitting_unit(0.9994), "999 ms");
  EXPECT_EQ(in_fitting_unit(9.996e-3), "10.0 ms");
}

TEST(InFittingUnit, TakesTheSmallestUnitForWhatIsSmaller) {
  EXPECT_EQ(in_fitting_unit(0), "0.00 ns");
  EXPECT_EQ(in_fitting_unit(1e-12), "0.00 ns");
}

Scenario paper() {
  Scenario scenario;
  scenario.ranks = 32;
  scenario.workload = {"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  scenario.balancer = {"collective", {{"exchange_interval", "16"}}};
  scenario.communicator = "comm_split";
  return scenario;
}

TEST(Describe, IsShortForAUsualRun) {
  EXPECT_EQ(describe(paper()), "32 ranks, G 4, T 100 ms, collective(16), comm_split, #1");
}

TEST(Describe, NamesWhatIsNotUsual) {
  Scenario scenario = paper();
  scenario.item_ms = 0.5;
  scenario.workload = {"exponential", {{"mean_items", "7"}}};
  scenario.speedup = {"amdahl", {{"serial_fraction", "0.1"}}};
  scenario.jitter = 0.25;
  scenario.costs = {"cluster", {}};
  scenario.waiting = "direct";
  scenario.walker = {"spin", {{"state_bytes", "0"}}};
  scenario.balancer = {"asynchronous", {{"finished_groups", "merge"}, {"listen_ms", "2"}}};
  scenario.seed = 5;
  scenario.repetition = 3;
  EXPECT_EQ(
      describe(scenario),
      "32 ranks, G 4, T 0.5 ms, exponential(mean_items=7), amdahl(serial_fraction=0.1), jitter "
      "0.25, costs cluster, waiting direct, spin, asynchronous(merge, listen_ms=2), "
      "comm_split, seed 5, #3");
}

TEST(Describe, DiffersForRunsThatDiffer) {
  Scenario other = paper();
  other.balancer.options.set("exchange_interval", "17");
  EXPECT_NE(describe(other), describe(paper()));
}

}  // namespace
}  // namespace regroup
