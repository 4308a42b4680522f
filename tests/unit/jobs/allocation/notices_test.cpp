// SPDX-License-Identifier: BSD-3-Clause
//
// What schedulers say beside the reason of an ending.
#include <gmock/gmock.h>

#include "driver/execute/allocation.hpp"

namespace regroup {
namespace {

const std::string waits =
    "srun: Job 5 step creation temporarily disabled, retrying (Requested nodes are busy)";
const std::string warns = "srun: Warning: can't run 2 processes on 4 nodes, setting nnodes to 2";
const std::string created = "srun: Step created for StepId=5.1";
const std::string error = "srun: error: n2: task 1: Exited with exit code 3";

TEST(Notices, AreWhatASchedulerSaysThatIsNoError) {
  for (const std::string& line : {waits, warns, created}) EXPECT_TRUE(is_notice(line)) << line;
  EXPECT_TRUE(is_notice("salloc: Granted job allocation 5"));
}

TEST(Notices, AreNotItsErrorsNorWhatOthersSay) {
  EXPECT_FALSE(is_notice(error));
  EXPECT_FALSE(is_notice("srun: fatal: no hosts"));
  EXPECT_FALSE(is_notice("slurmstepd: error: *** STEP 5.1 ON n1 CANCELLED ***"));
  EXPECT_FALSE(is_notice("the walker said: srun: warning"));
  EXPECT_FALSE(is_notice("srun"));
  EXPECT_FALSE(is_notice(""));
}

TEST(FirstReason, PassesOverNotices) {
  EXPECT_EQ(first_reason(waits + "\n \n" + created + "\n" + error + "\nlater\n", false), error);
  EXPECT_EQ(first_reason("\n==\n" + warns + "\nout of memory\n", true), "out of memory");
}

TEST(FirstReason, MayBeANoticeWhereNothingElseWasSaid) {
  EXPECT_EQ(first_reason(waits + "\n" + created + "\n", true), waits);
  EXPECT_EQ(first_reason(waits + "\n", false), "");
  EXPECT_EQ(first_reason("", true), "");
}

}  // namespace
}  // namespace regroup
