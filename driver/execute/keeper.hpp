// SPDX-License-Identifier: BSD-3-Clause
//
// The keeper: a process between the command and a launcher that leaves nothing behind.
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

/// The report of the keeper to the command when the launcher has ended.
struct KeepersReport {
  int error = 0;   // errno, if the command could not be started
  int status = 0;  // of the command, as from waitpid
};

/// Runs the command as a child of this process, the keeper, and ends all descendants when it has
/// ended or `lifeline` is closed at our end, as when we are killed: a launcher that is ended while
/// it starts ranks may fail to end them. Output goes through the pipe `printing` into the log.
[[noreturn]] void keep(std::time_t began, const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& environment,
                       std::array<int, 2> printing, int log, int lifeline, int report) noexcept;

/// Ends all descendants. As a subreaper, this process inherits those whose parents have ended.
void end_descendants();

/// Returns whether `child` ends within `patience`. Calls `meanwhile` about every 20 ms.
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

/// A shared-memory segment of System V, as listed in /proc/sysvipc/shm.
struct SystemVSegment {
  key_t key = 0;
  int id = -1;
  pid_t creator = 0;
  long attached = 0;  ///< number of attachments to processes
  uid_t owner = 0;
  std::time_t changed = 0;
};

/// Returns whether a killed process of this user left `segment` after `since`: it has no key, is
/// not attached, and its creator has ended. UCX removes its segments early, unless it is killed.
bool is_stale(const SystemVSegment& segment, std::time_t since);

/// Removes shared memory that killed MPI processes left after `since`: files of this user in
/// /dev/shm, with the names of MPI libraries, that no process has open or mapped, and stale
/// segments of System V. Call it when the processes of a run have ended.
void remove_stale_segments(std::time_t since);

}  // namespace regroup
