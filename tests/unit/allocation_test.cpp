// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/allocation.hpp"

#include <gmock/gmock.h>

#include <map>

namespace regroup::allocation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Launchers to try in a job, in their order.

// Output of Slurm 22.05 and 20.11.
const char* const types =
    "MPI plugin types are...\n\tpmix\n\tnone\n\tcray_shasta\n\tpmi2\n"
    "specific pmix plugin versions available: pmix_v4\n";
const char* const old_types = "srun: MPI types are...\nsrun: none\nsrun: pmi2\nsrun: openmpi\n";

TEST(LikelyTypes, AreThoseThatSlurmHasAndTheLibrarySpeaks) {
  EXPECT_THAT(likely_types(types, false), ElementsAre("pmi2", "cray_shasta", "pmix"));
  EXPECT_THAT(likely_types(types, true), ElementsAre("pmix", "pmi2"));
  EXPECT_THAT(likely_types(old_types, false), ElementsAre("pmi2"));
  EXPECT_THAT(likely_types(old_types, true), ElementsAre("pmi2"));
  EXPECT_THAT(likely_types("bash: srun: not found\n", true), IsEmpty());
  EXPECT_THAT(likely_types("", true), IsEmpty());
}

TEST(Candidates, OfSlurmBeginWithWhatTheSiteChose) {
  std::vector<std::string> commands;
  for (const JobLauncher& one : candidates({4, 8, 2, 0}, true, types)) {
    commands.push_back(one.command);
    EXPECT_EQ(one.overcommit, "-O");
    EXPECT_EQ(one.processors, 8);
    EXPECT_EQ(one.least_on_a_host, 2);
  }
  EXPECT_THAT(commands, ElementsAre("srun -n {ranks}", "srun --mpi=pmix -n {ranks}",
                                    "srun --mpi=pmi2 -n {ranks}"));
  EXPECT_EQ(candidates({4, 8, 2, 0}, false, types).at(1).placed,
            "srun --mpi=pmi2 -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}");
}

// Hosts of a job according to its environment variables.

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

TEST(GivenHosts, AreNoneOutsideOfJobs) {
  EXPECT_EQ(given({}).hosts, 0);
  Set no_job = two_hosts;
  no_job.erase("SLURM_JOB_ID");
  EXPECT_EQ(given(no_job).hosts, 0);
}

TEST(GivenHosts, OfSlurmAreCountedWithTheirProcessors) {
  const GivenHosts two = given(two_hosts);
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
  EXPECT_EQ(given(one_host("n1")).hosts, 0);
  EXPECT_EQ(given(one_host("n1"), "n1.cluster.example").hosts, 0);
  EXPECT_EQ(given(one_host("n1"), "login").hosts, 1);
  EXPECT_EQ(given(one_host("n10"), "n1").hosts, 1);
  EXPECT_EQ(given(one_host("n[1]"), "n1").hosts, 0);
  EXPECT_EQ(given(one_host("n1.east.example"), "n1.west.example").hosts, 1);
  EXPECT_EQ(given(one_host("10.0.0.1"), "10.1.0.1").hosts, 1);
  Set named = one_host("node-one");
  named["SLURMD_NODENAME"] = "node-one";
  EXPECT_EQ(given(named, "n1").hosts, 0);
  EXPECT_EQ(given({{"SLURM_JOB_ID", "7"}}).hosts, 0);
}

// Scheduler output other than the cause of an ending.

const std::string waits =
    "srun: Job 5 step creation temporarily disabled, retrying (Requested nodes are busy)";
const std::string warns = "srun: Warning: can't run 2 processes on 4 nodes, setting nnodes to 2";
const std::string created = "srun: Step created for StepId=5.1";
const std::string error = "srun: error: n2: task 1: Exited with exit code 3";

TEST(Notices, AreWhatASchedulerSaysThatIsNoError) {
  for (const std::string& line : {waits, warns, created}) EXPECT_TRUE(is_notice(line)) << line;
  EXPECT_TRUE(is_notice("salloc: Granted job allocation 5"));
  EXPECT_FALSE(is_notice(error));
  EXPECT_FALSE(is_notice("srun: fatal: no hosts"));
  EXPECT_FALSE(is_notice("slurmstepd: error: *** STEP 5.1 ON n1 CANCELLED ***"));
  EXPECT_FALSE(is_notice("the walker said: srun: warning"));
  EXPECT_FALSE(is_notice("srun"));
  EXPECT_FALSE(is_notice(""));
}

TEST(Schedulers, SayWhatMayPass) {
  const std::string no_step = "srun: error: Unable to create step for job 5: ";
  for (const std::string& line :
       {waits, no_step + "Requested nodes are busy",
        no_step + "Job/step already completing or completed",
        no_step + "Socket timed out on send/recv operation",
        std::string(
            "srun: Job 5 step creation still disabled, retrying (Requested nodes are busy)"),
        std::string("srun: error: Unable to allocate resources: Unable to contact slurm controller "
                    "(connect failure)")}) {
    EXPECT_TRUE(says_may_pass(warns + "\n" + line + "\n")) << line;
  }
  for (const std::string& line : {warns, created, error, "a walker: " + waits,
                                  no_step + "More processors requested than permitted"}) {
    EXPECT_FALSE(says_may_pass(line + "\n")) << line;
  }
}

TEST(FirstReason, PassesOverNoticesUnlessNothingElseWasSaid) {
  EXPECT_EQ(first_reason(waits + "\n \n" + created + "\n" + error + "\nlater\n", false), error);
  EXPECT_EQ(first_reason("\n==\n" + warns + "\nout of memory\n", true), "out of memory");
  EXPECT_EQ(first_reason(waits + "\n" + created + "\n", true), waits);
  EXPECT_EQ(first_reason(waits + "\n", false), "");
  EXPECT_EQ(first_reason("", true), "");
}

}  // namespace
}  // namespace regroup::allocation_test
