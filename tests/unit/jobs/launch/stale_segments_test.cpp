// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "driver/execute/keeper.hpp"

namespace regroup {
namespace {

/// A process that has ended.
pid_t ended() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

/// Made at 100 s by a process that has ended.
SystemVSegment left() { return {IPC_PRIVATE, 7, ended(), 0, geteuid(), 100}; }

TEST(StaleSegments, OfSystemVAreThoseThatNobodyCanFindAnyMore) {
  EXPECT_TRUE(is_stale(left(), 100));
  SystemVSegment with_key = left();
  with_key.key = 17;
  EXPECT_FALSE(is_stale(with_key, 100));
}

TEST(StaleSegments, OfSystemVAreNoneThatAreOlderOrInUseOrSomebodyElses) {
  EXPECT_FALSE(is_stale(left(), 101));
  SystemVSegment used = left();
  used.attached = 1;
  EXPECT_FALSE(is_stale(used, 100));
  SystemVSegment own = left();
  own.creator = getpid();
  EXPECT_FALSE(is_stale(own, 100));
  SystemVSegment of_another = left();
  ++of_another.owner;
  EXPECT_FALSE(is_stale(of_another, 100));
  SystemVSegment of_nobody = left();
  of_nobody.creator = 0;
  EXPECT_FALSE(is_stale(of_nobody, 100));
}

/// A segment that a process has made which has ended.
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
}  // namespace regroup
