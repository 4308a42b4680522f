// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>

namespace regroup {

/// Removes what MPI processes left in shared memory that were killed before they could do so
/// themselves, made after `since`: files of ours in /dev/shm with the names that MPI libraries give
/// them, that no process has open or in its memory; and segments of System V that no process has in
/// its memory, or could find. To be called when the processes of a run have ended.
void remove_stale_segments(std::time_t since);

}  // namespace regroup
