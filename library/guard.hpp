// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engines/mpi/black_box.hpp"

namespace regroup {

/// The third argument of the program of the ranks, if the run recovers from lost ranks.
inline constexpr std::string_view guarded_argument = "guarded";

// Files beside `outcome_file`, by which guards and the launching command communicate.

/// A record for each rank that its guard has found lost, with the reason (rank_records.hpp).
std::string deaths_file(const std::string& outcome_file);
/// The lost ranks without which the run continues: written by the command, read by all ranks
/// (read_losses in loss_watch.hpp).
std::string losses_file(const std::string& outcome_file);
/// The last record in the black box of a lost rank.
std::string last_record_file(const std::string& outcome_file, int rank);

/// Forks before MPI_Init. Returns in the new process, which becomes the rank. The original process
/// becomes its guard and never returns. The guard exits like the rank, unless the rank is lost:
/// killed, stopped for a second (SIGSTOP), in an item for too long, or blocked when other ranks are
/// lost. The guard kills a lost rank and exits only after the run has ended. So the launcher, which
/// ends all ranks if one of its processes dies, does not notice the loss.
BlackBox& guard_rank(const std::string& outcome_file);

}  // namespace regroup
