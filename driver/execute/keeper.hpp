// SPDX-License-Identifier: BSD-3-Clause
//
// Between the command and a launcher stands a process that sees to it that nothing is left behind.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace regroup {

/// What the launcher's side tells ours when it is over.
struct KeepersReport {
  int error = 0;   // why the command could not be started
  int status = 0;  // of the command, as waitpid gives it
};

/// Runs the command in the keeper's process, and ends everything when it has ended or `lifeline`,
/// whose other end we hold, is closed, as when we are killed: a launcher that is asked to end while
/// it starts its ranks may fail to end them. Output goes through the pipe `printing` into the log.
[[noreturn]] void keep(std::time_t began, const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& environment,
                       std::array<int, 2> printing, int log, int lifeline, int report) noexcept;

/// Ends all descendants. As their subreaper we inherit those whose parents are gone.
void end_descendants();

/// Whether `child` ends within `patience`. Does `meanwhile` now and then.
template <class Meanwhile>
bool ends_within(std::chrono::milliseconds patience, pid_t child, Meanwhile meanwhile) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + patience; waitpid(child, nullptr, WNOHANG) == 0;) {
    if (Clock::now() > end) return false;
    meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// A segment of System V, as /proc/sysvipc/shm tells it.
struct SystemVSegment {
  key_t key = 0;
  int id = -1;
  pid_t creator = 0;
  long attached = 0;  ///< how often it is in the memory of a process
  uid_t owner = 0;
  std::time_t changed = 0;
};

/// Whether a killed process of ours has left it after `since`: without a key, in nobody's memory,
/// and its creator has ended. UCX removes its segments as soon as it has them, unless it is killed.
bool is_stale(const SystemVSegment& segment, std::time_t since);

/// Removes what killed MPI processes left in shared memory after `since`: our files in /dev/shm
/// with the names of MPI libraries that no process has open or in its memory, and stale segments of
/// System V. To be called when the processes of a run have ended.
void remove_stale_segments(std::time_t since);

}  // namespace regroup
