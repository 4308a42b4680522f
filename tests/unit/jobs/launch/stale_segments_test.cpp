// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/stale_segments.hpp"

#include <gtest/gtest.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ctime>

namespace regroup {
namespace {

/// A segment of System V that a process has made which has ended.
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

TEST(StaleSegments, OfSystemVThatNobodyCanFindAnyMoreAreRemoved) {
  const std::time_t since = std::time(nullptr) - 1;
  const int left = orphan();
  ASSERT_TRUE(exists(left));
  remove_stale_segments(since);
  EXPECT_FALSE(exists(left));
}

TEST(StaleSegments, OfSystemVThatAreOlderOrInUseStay) {
  const std::time_t now = std::time(nullptr);
  const int older = orphan();
  const int used = orphan();
  void* memory = shmat(used, nullptr, 0);
  const int own = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  remove_stale_segments(now + 10);
  EXPECT_TRUE(exists(older));
  shmctl(older, IPC_RMID, nullptr);
  remove_stale_segments(now - 1);
  EXPECT_TRUE(exists(used));
  EXPECT_TRUE(exists(own));
  shmdt(memory);
  shmctl(used, IPC_RMID, nullptr);
  shmctl(own, IPC_RMID, nullptr);
}

}  // namespace
}  // namespace regroup
