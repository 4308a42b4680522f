// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/faults.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace regroup::faults_test {
namespace {

constexpr const char* every_fault =
    "kill:5@30/kill:random@1.2s/hang:3@2s/slow:2x4/mtbf:20s/detection:50ms/save:2.5ms";

TEST(FaultPlan, ReadsWhatItWrites) {
  for (const char* text : {"none", every_fault, "slow:0x1.5", "mtbf:0.25s"}) {
    EXPECT_EQ(FaultPlan::from(text).text(), text);
  }
  const FaultPlan plan = FaultPlan::from(every_fault);
  ASSERT_EQ(plan.faults.size(), 4u);
  EXPECT_EQ(plan.faults[0], (Fault{Fault::Kind::kill, 5, 30}));
  EXPECT_EQ(plan.faults[1], (Fault{Fault::Kind::kill, Fault::random_rank, 0, 1.2}));
  EXPECT_EQ(plan.faults[2], (Fault{Fault::Kind::hang, 3, 0, 2}));
  EXPECT_EQ(plan.faults[3], (Fault{Fault::Kind::slow, 2, 0, 0, 4}));
  EXPECT_EQ(plan.mtbf_s, 20);
  EXPECT_EQ(plan.detection_ms, 50);
  EXPECT_EQ(plan.save_ms, 2.5);
}

TEST(FaultPlan, RefusesOtherTexts) {
  for (const char* text :
       {"", "kill", "kill:", "kill:5", "kill:5@", "kill:5@0", "kill:-1@3", "kill:5@1.5",
        "kill:5@-1s", "kill:5@nans", "slow:3", "slow:3x0.5", "mtbf:0s", "mtbf:20", "detection:5ms",
        "save:5ms", "halt:3@4", "kill:5@3;"}) {
    EXPECT_THROW(FaultPlan::from(text), std::invalid_argument) << text;
  }
}

TEST(FaultPlan, ComplainsAboutRanksThatThereAreNot) {
  EXPECT_EQ(FaultPlan::from("kill:3@1").complaint(4), "");
  EXPECT_NE(FaultPlan::from("slow:4x2").complaint(4), "");
  EXPECT_NE(FaultPlan::from("kill:3@1/hang:3@2").complaint(4), "");
  EXPECT_NE(FaultPlan::from("kill:0@1/kill:random@1s").complaint(2), "");
  EXPECT_EQ(FaultPlan::from("kill:0@1/slow:0x2").complaint(2), "");
}

TEST(FaultPlan, LosesNoRankTwiceAndNeverAll) {
  const FaultPlan plan = FaultPlan::from("kill:1@4/kill:random@2s/slow:randomx2/mtbf:3s");
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    std::set<int> lost;
    double last_s = 0;
    const auto faults = plan.draw(8, stream);
    for (const Fault& fault : faults) {
      EXPECT_GE(fault.rank, 0);
      EXPECT_LT(fault.rank, 8);
      EXPECT_TRUE(!fault.loses_rank() || lost.insert(fault.rank).second);
    }
    EXPECT_EQ(lost.size(), 7u);
    for (std::size_t i = 3; i < faults.size(); ++i) {
      EXPECT_LE(last_s, faults[i].at_s);
      last_s = faults[i].at_s;
    }
    EXPECT_EQ(faults, plan.draw(8, stream));
  }
}

TEST(FaultPlan, DrawsFailuresAtTheirMeanTime) {
  double sum_s = 0;
  std::size_t failures = 0;
  for (std::uint64_t stream = 0; stream < 100; ++stream) {
    const auto faults = FaultPlan::from("mtbf:5s").draw(1000, stream, 100);
    failures += faults.size();
    if (!faults.empty()) {
      EXPECT_LT(faults.back().at_s, 100);
      sum_s += faults.front().at_s;
    }
  }
  EXPECT_NEAR(static_cast<double>(failures), 2000, 4 * 45);
  EXPECT_NEAR(sum_s / 100, 5, 2);
}

}  // namespace
}  // namespace regroup::faults_test
