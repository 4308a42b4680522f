// SPDX-License-Identifier: BSD-3-Clause
//
// Commands that are launched: their words, and who can be started.
#include "driver/execute/launch.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "driver/execute/mpi_job.hpp"
#include "driver/store/record.hpp"
#include "driver/build_info.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, AreSplitAtBlanks) {
  EXPECT_THAT(words("mpiexec  -n\t4\nprogram "), ElementsAre("mpiexec", "-n", "4", "program"));
  EXPECT_THAT(words(" \t\n"), IsEmpty());
  EXPECT_THAT(words(""), IsEmpty());
}

TEST(Words, AreKeptTogetherByQuotes) {
  EXPECT_THAT(words(R"(a "b c" 'd "e"' f"g h"i)"), ElementsAre("a", "b c", "d \"e\"", "fg hi"));
  EXPECT_THAT(words(R"('' "")"), ElementsAre("", ""));
}

TEST(Words, GoOnToTheEndWhereAQuoteIsNotClosed) {
  EXPECT_THAT(words("a 'b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(words("a \""), ElementsAre("a", ""));
}

TEST(LauncherWords, HoldTheNumberOfRanksWhereverItIsAskedFor) {
  Scenario task;
  task.ranks = 12;
  EXPECT_THAT(launcher_words("srun -n {ranks} --label={ranks}:{ranks} {rank}", task),
              ElementsAre("srun", "-n", "12", "--label=12:12", "{rank}"));
}

TEST(CanStart, FindsProgramsInThePathAndByTheirWholePath) {
  EXPECT_TRUE(can_start("sh", "/nowhere:/bin:/usr/bin"));
  EXPECT_TRUE(can_start("/bin/sh", ""));
  EXPECT_FALSE(can_start("sh", "/nowhere"));
  EXPECT_FALSE(can_start("sh", ""));
  EXPECT_FALSE(can_start("/bin", "/"));  // a directory
  EXPECT_FALSE(can_start("", "/bin"));
}

TEST(CanStart, WantsAFileThatMayBeExecuted) {
  const std::string file = testing::TempDir() + "can_start_test";
  std::ofstream(file) << "#!/bin/sh\n";
  chmod(file.c_str(), 0644);
  EXPECT_FALSE(can_start(file, ""));
  chmod(file.c_str(), 0755);
  EXPECT_TRUE(can_start(file, ""));
  std::filesystem::remove(file);
}

TEST(MpiJob, StartsTheProgramThatTheConfigurationNames) {
  Configuration configuration;
  configuration.launcher = "srun -n {ranks} apptainer exec x.sif";
  configuration.program = "/in it/regroup-mpi";
  Scenario task;
  task.ranks = 3;
  const auto started = [&](const std::string& waiting) {
    task.waiting = waiting;
    return mpi_job(configuration, task, {"task", "outcome", "directory"}).command;
  };
  EXPECT_THAT(started("direct"), ElementsAre("srun", "-n", "3", "apptainer", "exec", "x.sif",
                                             "/in it/regroup-mpi", "task", "outcome"));
  EXPECT_EQ(started("wrapper")[6],
            mpi_is_open_mpi ? "/in it/regroup-mpi" : "/in it/wrapped/regroup-mpi");
}

TEST(MpiJob, StartsTheProgramBesideTheCommandWhereNoneIsNamed) {
  Configuration configuration;
  configuration.launcher = "env";
  Scenario task;
  task.waiting = "direct";
  EXPECT_EQ(mpi_job(configuration, task, {"task", "outcome", "directory"}).command[1],
            this_program().string() + "-mpi");
}

TEST(Status, ComesBackFromItsName) {
  for (const Status status :
       {Status::ok, Status::failed, Status::timeout, Status::killed, Status::unsupported}) {
    EXPECT_EQ(status_named(name(status)), status);
  }
  EXPECT_EQ(status_named("fine"), std::nullopt);
  EXPECT_EQ(status_named(""), std::nullopt);
}

}  // namespace
}  // namespace regroup
