// SPDX-License-Identifier: BSD-3-Clause
//
// Which jobs of Slurm a lock gives way to; the rest is in tests/program/results_test.py.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "driver/store/results.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

class LockOfAJob : public testing::Test {
 protected:
  LockOfAJob() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("jobs_lock_test." + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(directory_);
    setenv("SLURM_CLUSTER_NAME", "big", 1);
    setenv("SLURM_JOB_ID", "12", 1);
  }
  ~LockOfAJob() override {
    for (const char* name : {"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_RESTART_COUNT"}) {
      unsetenv(name);
    }
    std::filesystem::remove_all(directory_);
  }

  /// Whether start `restarts` of our job takes over the lock of start `before` of `job`.
  bool takes_over(const std::string& job, const std::string& before, const char* restarts) {
    setenv("SLURM_RESTART_COUNT", restarts, 1);
    std::ofstream(directory_ / "lock") << "boot_id: another\nhost: far-away\njob: \"" << job
                                       << "\"\npid: 1\nrestarts: \"" << before << "\"\n";
    try {
      return Lock(directory_, false).taken_over();
    } catch (const UserError&) {
      return false;
    }
  }

  std::filesystem::path directory_;
};

TEST_F(LockOfAJob, GivesWayToALaterStartOfTheSameJob) {
  EXPECT_TRUE(takes_over("big 12", "0", "1"));
  EXPECT_TRUE(takes_over("big 12", "9", "10"));
}

TEST_F(LockOfAJob, GivesWayToNobodyElse) {
  EXPECT_FALSE(takes_over("big 12", "1", "1"));
  EXPECT_FALSE(takes_over("big 12", "2", "1"));
  EXPECT_FALSE(takes_over("big 13", "0", "1"));
  EXPECT_FALSE(takes_over("small 12", "0", "1"));
  EXPECT_FALSE(takes_over("big 12", "", "1"));
  unsetenv("SLURM_JOB_ID");
  EXPECT_FALSE(takes_over("big 12", "0", "1"));
}

}  // namespace
}  // namespace regroup
