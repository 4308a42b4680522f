// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace regroup {

/// Returns an error message if the launcher of another MPI library started this process, so that
/// its world has one rank, but the launcher's `variables` (empty if not set) count several.
std::string complaint_about_launcher(int ranks,
                                     const std::function<std::string(const char*)>& variables);

/// Returns the rank of this process according to the launcher's variables, or -1 if there are none.
int rank_by_launcher();

/// Throws std::runtime_error with complaint_about_launcher(), if any. To be called after MPI_Init.
void check_own_launcher();

}  // namespace regroup
