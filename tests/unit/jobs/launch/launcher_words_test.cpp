// SPDX-License-Identifier: BSD-3-Clause
//
// Launchers of jobs, and what Open MPI's is told.
#include <gmock/gmock.h>

#include "driver/execute/mpi_job.hpp"
#include "driver/build_info.hpp"
#include "kernel/places/host.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<std::string>;

Configuration in_a_job() {
  Configuration configuration;
  configuration.job_launcher = {"srun -n {ranks}",
                                "srun -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}",
                                "-O",
                                10,
                                2,
                                ""};
  return configuration;
}

Words words_for(const Configuration& configuration, int ranks, int ranks_per_node = 0) {
  Scenario task;
  task.ranks = ranks;
  task.ranks_per_node = ranks_per_node;
  return launcher_words(configuration, task);
}

TEST(LauncherOfAJob, StartsRanksAsItsSchedulerLikes) {
  EXPECT_THAT(words_for(in_a_job(), 8), ElementsAre("srun", "-n", "8"));
  EXPECT_THAT(words_for(in_a_job(), 10), ElementsAre("srun", "-n", "10"));
}

TEST(LauncherOfAJob, IsToldHowManyANodeGets) {
  EXPECT_THAT(words_for(in_a_job(), 7, 2),
              ElementsAre("srun", "-N", "4", "--ntasks-per-node=2", "-n", "7"));
}

TEST(LauncherOfAJob, IsToldWhereRanksOutnumberProcessors) {
  EXPECT_THAT(words_for(in_a_job(), 11), ElementsAre("srun", "-n", "11", "-O"));
  EXPECT_THAT(words_for(in_a_job(), 6, 3),
              ElementsAre("srun", "-N", "2", "--ntasks-per-node=3", "-n", "6", "-O"));
  Configuration unknown = in_a_job();
  unknown.job_launcher.processors = unknown.job_launcher.least_on_a_host = 0;
  EXPECT_THAT(words_for(unknown, 11), ElementsAre("srun", "-n", "11"));
}

TEST(LauncherOfAJob, ReadsTheHostsOfTheJobFromItsFile) {
  Configuration configuration;
  configuration.job_launcher = {"mpiexec -f {hostfile} -n {ranks}", "", "", 4, 2, "/a b/{ranks}"};
  EXPECT_THAT(words_for(configuration, 3), ElementsAre("mpiexec", "-f", "/a b/{ranks}", "-n", "3"));
}

TEST(LauncherOfAJob, GivesWayToTheOneThatIsNamed) {
  Configuration configuration = in_a_job();
  EXPECT_EQ(launcher_of(configuration), "srun -n {ranks}");
  configuration.launcher = "env {hostfile}";
  EXPECT_THAT(words_for(configuration, 3), ElementsAre("env", "{hostfile}"));
  EXPECT_EQ(launcher_of(configuration), "env {hostfile}");
}

TEST(LauncherOfAJob, GetsNoSettingsOfASingleHost) {
  Scenario task;
  task.ranks = own_cores() + 1;
  EXPECT_THAT(rank_job(in_a_job(), task, {}).environment, IsEmpty());
  EXPECT_EQ(rank_job(in_a_job(), task, {}).command.back(), this_program().string() + "-mpi");
}

Words handed_on(Words command) {
  hand_on({{"A", "1"}, {"UCX_TLS", "tcp"}}, command);
  return command;
}

TEST(OpenMpisLauncher, HandsOnWhatTheConfigurationSets) {
  EXPECT_THAT(handed_on({"mpirun", "-n", "4"}),
              ElementsAre("mpirun", "-x", "A", "-x", "UCX_TLS", "-n", "4"));
  EXPECT_THAT(handed_on({"/usr/bin/mpiexec.openmpi"}),
              ElementsAre("/usr/bin/mpiexec.openmpi", "-x", "A", "-x", "UCX_TLS"));
  EXPECT_THAT(handed_on({"taskset", "-c", "0", "orterun"}),
              ElementsAre("taskset", "-c", "0", "orterun", "-x", "A", "-x", "UCX_TLS"));
}

TEST(OpenMpisLauncher, IsNotToldTwice) {
  EXPECT_THAT(handed_on({"mpirun", "-x", "UCX_TLS", "-x", "A=2"}),
              ElementsAre("mpirun", "-x", "UCX_TLS", "-x", "A=2"));
}

TEST(OpenMpisLauncher, IsTheOnlyOneThatIsToldSo) {
  EXPECT_THAT(handed_on({"srun", "-n", "4"}), ElementsAre("srun", "-n", "4"));
  EXPECT_THAT(handed_on({}), IsEmpty());
  Configuration configuration;
  configuration.launcher = "mpirun -n {ranks}";
  configuration.environment = {{"A", "1"}};
  if (mpi_is_open_mpi) {
    EXPECT_THAT(words_for(configuration, 2), ElementsAre("mpirun", "-x", "A", "-n", "2"));
  } else {
    EXPECT_THAT(words_for(configuration, 2), ElementsAre("mpirun", "-n", "2"));
  }
}

}  // namespace
}  // namespace regroup
