// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/allocation.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/unit/text_file.hpp"

namespace regroup::allocation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Which launchers are tried in a job, and in which order.

const MpiToLaunch mpich{false, "/usr/bin/mpiexec.mpich -n {ranks}"};
const MpiToLaunch open_mpi{true, "/usr/bin/mpiexec --oversubscribe -n {ranks}"};

// Of Slurm 22.05 and 20.11.
const char* const types =
    "MPI plugin types are...\n\tpmix\n\tnone\n\tcray_shasta\n\tpmi2\n"
    "specific pmix plugin versions available: pmix_v4\n";
const char* const old_types = "srun: MPI types are...\nsrun: none\nsrun: pmi2\nsrun: openmpi\n";

GivenHosts given(Scheduler scheduler) {
  GivenHosts hosts;
  hosts.scheduler = scheduler;
  hosts.processors = 8;
  hosts.least_on_a_host = 2;
  hosts.hostfile = "/var/spool/hosts";
  return hosts;
}

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
  for (const JobLauncher& one : candidates(given(Scheduler::slurm), open_mpi, types)) {
    commands.push_back(one.command);
    EXPECT_EQ(one.overcommit, "-O");
    EXPECT_EQ(one.processors, 8);
    EXPECT_EQ(one.least_on_a_host, 2);
  }
  EXPECT_THAT(commands, ElementsAre("srun -n {ranks}", "srun --mpi=pmix -n {ranks}",
                                    "srun --mpi=pmi2 -n {ranks}"));
}

TEST(Candidates, OfSlurmCanBeToldHowManyANodeGets) {
  EXPECT_EQ(candidates(given(Scheduler::slurm), mpich, types).at(1).placed,
            "srun --mpi=pmi2 -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}");
}

TEST(Candidates, OfPbsTellTheLibrarysLauncherTheHosts) {
  const std::vector<JobLauncher> of_mpich = candidates(given(Scheduler::pbs), mpich, "");
  ASSERT_EQ(of_mpich.size(), 1u);
  EXPECT_EQ(of_mpich[0].command, "/usr/bin/mpiexec.mpich -f {hostfile} -n {ranks}");
  EXPECT_EQ(of_mpich[0].placed,
            "/usr/bin/mpiexec.mpich -f {hostfile} -ppn {ranks_per_node} -n {ranks}");
  EXPECT_EQ(of_mpich[0].hostfile, "/var/spool/hosts");
  const std::vector<JobLauncher> of_open_mpi = candidates(given(Scheduler::pbs), open_mpi, "");
  ASSERT_EQ(of_open_mpi.size(), 1u);
  EXPECT_EQ(of_open_mpi[0].command,
            "/usr/bin/mpiexec --hostfile {hostfile} --oversubscribe -n {ranks}");
  EXPECT_EQ(of_open_mpi[0].placed,
            "/usr/bin/mpiexec --hostfile {hostfile} --map-by ppr:{ranks_per_node}:node "
            "--oversubscribe -n {ranks}");
}

TEST(Candidates, OfFluxAreItsOwn) {
  const std::vector<JobLauncher> all = candidates(given(Scheduler::flux), mpich, "");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].command, "flux run -n {ranks}");
  EXPECT_EQ(all[0].placed, "flux run -N {nodes} -n {ranks}");
}

TEST(Candidates, AreNoneWithoutAScheduler) {
  EXPECT_THAT(candidates(given(Scheduler::none), mpich, types), IsEmpty());
}

// What the variables of a job tell of its hosts.

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

// What schedulers say beside the reason of an ending.

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
}  // namespace regroup::allocation_test
