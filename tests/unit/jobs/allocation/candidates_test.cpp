// SPDX-License-Identifier: BSD-3-Clause
//
// Which launchers are tried in a job, and in which order.
#include <gmock/gmock.h>

#include "driver/execute/allocation.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

}  // namespace
}  // namespace regroup
