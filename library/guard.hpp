// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engines/mpi/black_box.hpp"

namespace regroup {

/// The third argument of the ranks' program: the run goes on when ranks are lost.
inline constexpr std::string_view guarded_argument = "guarded";

// Files beside `outcome_file`, by which guards and the command that launched them speak.

/// A record for each rank that its guard has found lost, with the reason (rank_records.hpp).
std::string deaths_file(const std::string& outcome_file);
/// Which of them the run is to go on without: written by the command, read by all ranks
/// (read_losses in loss_watch.hpp).
std::string losses_file(const std::string& outcome_file);
/// What a lost rank had written down in its black box.
std::string last_record_file(const std::string& outcome_file, int rank);

/// Forks before MPI_Init. Returns in the new process, which becomes the rank; the other one never
/// returns: it is the rank's guard. It ends as the rank does, unless that is lost: killed, stopped
/// for a second (SIGSTOP), in an item for too long, or stuck when others are lost, so that it does
/// not hear of it. Such a rank is killed, and its guard stays until the run has ended, so that the
/// launcher, which ends all ranks where one dies, does not notice.
BlackBox& guard_rank(const std::string& outcome_file);

}  // namespace regroup
