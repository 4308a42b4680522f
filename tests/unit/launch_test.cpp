// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/launch.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "driver/execute/keeper.cpp"
#include "driver/execute/mpi_job.hpp"
#include "kernel/files/files.hpp"
#include "kernel/places/host.hpp"
#include "kernel/text/shell_words.hpp"
#include "library/build_info.hpp"

namespace regroup::launch_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns the contents of a log limited to ten bytes after `pieces` were added.
std::string logged(const std::vector<std::string>& pieces) {
  const std::string path = testing::TempDir() + "capped_log_test." + std::to_string(getpid());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  CappedLog log(file, 10);
  for (const std::string& piece : pieces) {
    log.add(piece);
    EXPECT_LE(std::filesystem::file_size(path), 10u);
  }
  log.finish();
  close(file);
  const std::string text = read_file(path).value();
  std::filesystem::remove(path);
  return text;
}

TEST(CappedLog, HoldsAllWhereItIsNotTooMuch) {
  EXPECT_EQ(logged({}), "");
  EXPECT_EQ(logged({"abc", "", "defg"}), "abcdefg");
  EXPECT_EQ(logged({"abcdefghij"}), "abcdefghij");
  EXPECT_EQ(logged({"abcdefghijk"}), "abcde\n[1 bytes of output omitted]\nghijk");
}

TEST(CappedLog, HoldsTheFirstAndTheLastHalfHoweverTheyCome) {
  const std::string all = "abcdefghijklmnopqrstuvwxyz";
  const std::string expected = "abcde\n[16 bytes of output omitted]\nvwxyz";
  EXPECT_EQ(logged({all}), expected);
  for (std::size_t length = 1; length < all.size(); ++length) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < all.size(); at += length) {
      pieces.push_back(all.substr(at, length));
    }
    EXPECT_EQ(logged(pieces), expected) << "in pieces of " << length;
  }
}

// Command lines: their words, and programs that can be started.

TEST(Words, AreSplitAtBlanksAndKeptTogetherByQuotes) {
  EXPECT_THAT(words("mpiexec  -n\t4\nprogram "), ElementsAre("mpiexec", "-n", "4", "program"));
  EXPECT_THAT(words(" \t\n"), IsEmpty());
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(R"(a "b c" 'd "e"' f"g h"i)"), ElementsAre("a", "b c", "d \"e\"", "fg hi"));
  EXPECT_THAT(words(R"('' "")"), ElementsAre("", ""));
  EXPECT_THAT(words("a 'b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(words("a \""), ElementsAre("a", ""));
}

TEST(LauncherWords, HoldTheNumberOfRanksWhereverItIsAskedFor) {
  Task task;
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
  Task task;
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
  Task task;
  task.waiting = "direct";
  EXPECT_EQ(mpi_job(configuration, task, {"task", "outcome", "directory"}).command[1],
            this_program().string() + "-mpi");
}

// Launchers of jobs, and the options for that of Open MPI.

using Words = std::vector<std::string>;

Configuration in_a_job() {
  Configuration configuration;
  configuration.job_launcher = {"srun -n {ranks}",
                                "srun -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}",
                                "-O", 10, 2};
  return configuration;
}

Words words_for(const Configuration& configuration, int ranks, int ranks_per_node = 0) {
  Task task;
  task.ranks = ranks;
  task.ranks_per_node = ranks_per_node;
  return launcher_words(configuration, task);
}

TEST(LauncherOfAJob, IsToldHowManyANodeGetsAndWhereTheyOutnumberProcessors) {
  EXPECT_THAT(words_for(in_a_job(), 8), ElementsAre("srun", "-n", "8"));
  EXPECT_THAT(words_for(in_a_job(), 10), ElementsAre("srun", "-n", "10"));
  EXPECT_THAT(words_for(in_a_job(), 7, 2),
              ElementsAre("srun", "-N", "4", "--ntasks-per-node=2", "-n", "7"));
  EXPECT_THAT(words_for(in_a_job(), 11), ElementsAre("srun", "-n", "11", "-O"));
  EXPECT_THAT(words_for(in_a_job(), 6, 3),
              ElementsAre("srun", "-N", "2", "--ntasks-per-node=3", "-n", "6", "-O"));
  Configuration unknown = in_a_job();
  unknown.job_launcher.processors = unknown.job_launcher.least_on_a_host = 0;
  EXPECT_THAT(words_for(unknown, 11), ElementsAre("srun", "-n", "11"));
}

TEST(LauncherOfAJob, GivesWayToTheOneThatIsNamed) {
  Configuration configuration = in_a_job();
  EXPECT_EQ(launcher_of(configuration), "srun -n {ranks}");
  configuration.launcher = "env x";
  EXPECT_THAT(words_for(configuration, 3), ElementsAre("env", "x"));
  EXPECT_EQ(launcher_of(configuration), "env x");
}

TEST(LauncherOfAJob, GetsNoSettingsOfASingleHost) {
  Task task;
  task.ranks = own_cores() + 1;
  EXPECT_THAT(rank_job(in_a_job(), task, {}).environment, IsEmpty());
  EXPECT_EQ(rank_job(in_a_job(), task, {}).command.back(), this_program().string() + "-mpi");
}

Words handed_on(Words command) {
  hand_on({{"A", "1"}, {"UCX_TLS", "tcp"}}, command);
  return command;
}

TEST(OpenMpisLauncher, HandsOnWhatTheConfigurationSetsOnce) {
  EXPECT_THAT(handed_on({"mpirun", "-n", "4"}),
              ElementsAre("mpirun", "-x", "A", "-x", "UCX_TLS", "-n", "4"));
  EXPECT_THAT(handed_on({"/usr/bin/mpiexec.openmpi"}),
              ElementsAre("/usr/bin/mpiexec.openmpi", "-x", "A", "-x", "UCX_TLS"));
  EXPECT_THAT(handed_on({"taskset", "-c", "0", "orterun"}),
              ElementsAre("taskset", "-c", "0", "orterun", "-x", "A", "-x", "UCX_TLS"));
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

/// Returns the id of a process that has ended.
pid_t ended() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

/// Returns a segment that a process that has ended created at 100 s.
SystemVSegment left() { return {IPC_PRIVATE, 7, ended(), 0, geteuid(), 100}; }

TEST(StaleSegments, OfSystemVAreThoseThatNobodyCanFindAnyMore) {
  EXPECT_TRUE(is_stale(left(), 100));
  EXPECT_FALSE(is_stale(left(), 101));
  const auto expect_in_use = [](auto change) {
    SystemVSegment segment = left();
    change(segment);
    EXPECT_FALSE(is_stale(segment, 100));
  };
  expect_in_use([](SystemVSegment& segment) { segment.key = 17; });
  expect_in_use([](SystemVSegment& segment) { segment.attached = 1; });
  expect_in_use([](SystemVSegment& segment) { segment.creator = getpid(); });
  expect_in_use([](SystemVSegment& segment) { segment.creator = 0; });
  expect_in_use([](SystemVSegment& segment) { ++segment.owner; });
}

/// Returns the id of a segment whose creator has ended.
int orphan() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    _exit(write(ends[1], &id, sizeof id) == sizeof id ? 0 : 1);
  }
  int id = -1;
  EXPECT_EQ(read(ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  waitpid(child, nullptr, 0);
  for (const int end : ends) close(end);
  return id;
}

bool exists(int id) {
  shmid_ds found{};
  return shmctl(id, IPC_STAT, &found) == 0;
}

TEST(StaleSegments, OfSystemVAreRemovedAndNoOthers) {
  const std::time_t since = std::time(nullptr) - 1;
  const int stale = orphan();
  const int own = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  remove_stale_segments(since);
  EXPECT_FALSE(exists(stale));
  EXPECT_TRUE(exists(own));
  shmctl(own, IPC_RMID, nullptr);
}

}  // namespace
}  // namespace regroup::launch_test
