// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>

namespace regroup {

/// Removes from /dev/shm what MPI processes left there that were killed before they could do so
/// themselves: files of ours with the names that MPI libraries give them, made after `since`, that
/// no process has open or in its memory. To be called when the processes of a run have ended.
/// System V segments need nothing: MPICH and UCX have the kernel remove them with their last user.
void remove_stale_segments(std::time_t since);

}  // namespace regroup
