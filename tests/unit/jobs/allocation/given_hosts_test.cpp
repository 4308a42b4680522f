// SPDX-License-Identifier: BSD-3-Clause
//
// What the variables of a job tell of its hosts.
#include <gmock/gmock.h>

#include <map>

#include "driver/execute/allocation.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {
namespace {

using Set = std::map<std::string, std::string>;

GivenHosts given(const Set& set, const std::string& here = "n1") {
  return given_hosts(
      [&](const char* name) { return set.contains(name) ? set.at(name) : std::string(); }, here);
}

const Set two_hosts{{"SLURM_JOB_ID", "7"},
                    {"SLURM_JOB_NUM_NODES", "2"},
                    {"SLURM_JOB_NODELIST", "n[1-2]"},
                    {"SLURM_JOB_CPUS_PER_NODE", "4(x2)"},
                    {"SLURM_NTASKS", "6"}};

Set one_host(const std::string& name) {
  Set set = two_hosts;
  set["SLURM_JOB_NUM_NODES"] = "1";
  set["SLURM_JOB_NODELIST"] = name;
  return set;
}

Set of_pbs(const TextFile& file) { return {{"PBS_JOBID", "9.big"}, {"PBS_NODEFILE", file.path()}}; }

TEST(GivenHosts, AreNoneOutsideOfJobs) {
  EXPECT_EQ(given({}).scheduler, Scheduler::none);
  Set no_job = two_hosts;
  no_job.erase("SLURM_JOB_ID");
  EXPECT_EQ(given(no_job).scheduler, Scheduler::none);
}

TEST(GivenHosts, OfSlurmAreCountedWithTheirProcessors) {
  const GivenHosts two = given(two_hosts);
  EXPECT_EQ(two.scheduler, Scheduler::slurm);
  EXPECT_EQ(two.name(), "Slurm");
  EXPECT_EQ(two.hosts, 2);
  EXPECT_EQ(two.processors, 8);
  EXPECT_EQ(two.least_on_a_host, 4);
  EXPECT_EQ(two.ranks, 6);
}

TEST(GivenHosts, OfSlurmMayHaveUnequalProcessors) {
  Set four = two_hosts;
  four["SLURM_JOB_NUM_NODES"] = "4";
  four["SLURM_JOB_CPUS_PER_NODE"] = "2(x3),4";
  four.erase("SLURM_NTASKS");
  EXPECT_EQ(given(four).processors, 10);
  EXPECT_EQ(given(four).least_on_a_host, 2);
  EXPECT_EQ(given(four).ranks, 0);
}

TEST(GivenHosts, AreNoneWhereTheOnlyOneIsOurs) {
  EXPECT_EQ(given(one_host("n1")).scheduler, Scheduler::none);
  EXPECT_EQ(given(one_host("n1"), "n1.cluster.example").scheduler, Scheduler::none);
}

TEST(GivenHosts, MayBeOneThatIsNotOurs) {
  EXPECT_EQ(given(one_host("n1"), "login").scheduler, Scheduler::slurm);
  EXPECT_EQ(given(one_host("n10"), "n1").scheduler, Scheduler::slurm);
}

TEST(GivenHosts, AreKnownBySlurmsNameForThem) {
  Set named = one_host("node-one");
  named["SLURMD_NODENAME"] = "node-one";
  EXPECT_EQ(given(named, "n1").scheduler, Scheduler::none);
}

TEST(GivenHosts, AreNoneWhereNobodyTellsHowMany) {
  EXPECT_EQ(given({{"SLURM_JOB_ID", "7"}}).scheduler, Scheduler::none);
  EXPECT_EQ(given({{"PBS_JOBID", "7"}}).scheduler, Scheduler::none);
  EXPECT_EQ(given({{"PBS_JOBID", "7"}, {"PBS_NODEFILE", "/no/such/file"}}).scheduler,
            Scheduler::none);
}

TEST(GivenHosts, OfPbsStandInItsFile) {
  const TextFile file("n1\nn1\nn1\nn2.cluster.example\nn2.cluster.example\n");
  const GivenHosts two = given(of_pbs(file));
  EXPECT_EQ(two.scheduler, Scheduler::pbs);
  EXPECT_EQ(two.hosts, 2);
  EXPECT_EQ(two.ranks, 5);
  EXPECT_EQ(two.processors, 5);
  EXPECT_EQ(two.least_on_a_host, 2);
  EXPECT_EQ(two.hostfile, file.path());
}

TEST(GivenHosts, OfPbsAreNoneWhereTheOnlyOneIsOurs) {
  const TextFile file("n1.cluster.example\nn1.cluster.example\n");
  EXPECT_EQ(given(of_pbs(file)).scheduler, Scheduler::none);
  EXPECT_EQ(given(of_pbs(file), "n2").scheduler, Scheduler::pbs);
}

TEST(GivenHosts, AreThoseOfFluxAlsoInAJobOfSlurm) {
  Set flux = two_hosts;
  flux["FLUX_URI"] = "local:///tmp/flux";
  EXPECT_EQ(given(flux).scheduler, Scheduler::flux);
  EXPECT_EQ(given({{"FLUX_ENCLOSING_ID", "f12"}}).scheduler, Scheduler::flux);
}

}  // namespace
}  // namespace regroup
