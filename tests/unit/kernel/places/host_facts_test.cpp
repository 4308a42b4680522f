// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "regroup/outcome.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

/// A folder that stands for the root of a host.
class HostFactsOf : public testing::Test {
 protected:
  HostFactsOf() { fs::remove_all(root_); }
  ~HostFactsOf() override { fs::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    fs::create_directories((root_ + path).substr(0, (root_ + path).rfind('/')));
    std::ofstream(root_ + path) << text;
  }

  const std::string root_ = testing::TempDir() + "host-" + std::to_string(getpid());
};

TEST_F(HostFactsOf, ANormalHostAreWhatItsFilesSay) {
  file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A chip: fast\nprocessor\t: 1\n");
  file("/sys/devices/system/cpu/smt/active", "1\n");
  file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  file("/proc/sys/kernel/osrelease", "6.1.0-13\n");
  file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  file("/proc/loadavg", "1.25 2.50 3.00 1/100 77\n");
  const HostFacts expected{"A chip: fast", "on", "performance", "6.1.0-13", "tsc", 0, 1.25};
  EXPECT_EQ(host_facts(root_), expected);
}

TEST_F(HostFactsOf, AHostThatTellsNothingAreEmpty) { EXPECT_EQ(host_facts(root_), HostFacts()); }

TEST_F(HostFactsOf, AGroupOfVersion2AreTheLeastQuotaUpToTheRoot) {
  file("/proc/self/cgroup", "0::/job/step/task\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/job/step/task/cpu.max", "max 100000\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/job/step/cpu.max", "400000 100000\n");
  EXPECT_EQ(processor_quota(root_), 4);
  file("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(processor_quota(root_), 1.5);
  file("/sys/fs/cgroup/job/cpu.max", "800000 100000\n");
  EXPECT_EQ(processor_quota(root_), 4);
}

TEST_F(HostFactsOf, AGroupOfVersion1AreItsQuotaInItsPeriod) {
  file("/proc/self/cgroup", "7:memory:/other\n4:cpu,cpuacct:/job/task\n2:cpuset:/third\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/task/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/task/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 3);
  file("/sys/fs/cgroup/cpuset/third/cpu.cfs_quota_us", "50000\n");  // no group of the processors'
  file("/sys/fs/cgroup/cpuset/third/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 3);
}

/// The group has its name outside, and its files stand at the root.
TEST_F(HostFactsOf, AContainerAreTheQuotaOfItsRoot) {
  file("/proc/self/cgroup", "0::/docker/1234\n");
  file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(processor_quota(root_), 2);
}

TEST(HostFacts, OfThisHostHaveAKernel) { EXPECT_NE(host_facts().kernel, ""); }

}  // namespace
}  // namespace regroup
