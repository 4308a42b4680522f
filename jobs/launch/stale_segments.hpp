// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <ctime>

namespace regroup {

/// A segment of System V, as /proc/sysvipc/shm tells it.
struct SystemVSegment {
  key_t key = 0;
  int id = -1;
  pid_t creator = 0;
  long attached = 0;  ///< how often it is in the memory of a process
  uid_t owner = 0;
  std::time_t changed = 0;
};

/// Whether a killed process of ours has left it after `since`: without a key, so that nobody can
/// find it any more, in nobody's memory, and its creator has ended. UCX takes its segments out as
/// soon as it has them, unless it is killed between.
bool is_stale(const SystemVSegment& segment, std::time_t since);

/// Removes what MPI processes left in shared memory that were killed before they could do so
/// themselves, made after `since`: files of ours in /dev/shm with the names that MPI libraries give
/// them, that no process has open or in its memory; and stale segments of System V. To be called
/// when the processes of a run have ended.
void remove_stale_segments(std::time_t since);

}  // namespace regroup
