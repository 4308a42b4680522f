// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace regroup {

/// The error message if this process was started by the launcher of another MPI library: its world
/// has one rank, but the launcher's `variables` (empty if not set) count several. Otherwise empty.
std::string complaint_about_launcher(int ranks,
                                     const std::function<std::string(const char*)>& variables);

/// The rank of this process by the launcher's variables; -1 if there are none.
int rank_by_launcher();

/// Throws std::runtime_error with complaint_about_launcher(), if any. To be called after MPI_Init.
void check_own_launcher();

}  // namespace regroup
