// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace regroup {

/// Why a process whose world has `ranks` ranks was started by the launcher of another MPI library:
/// it is alone, and by the launcher's `variables` (empty where not set) it is not. Empty where all
/// is well.
std::string complaint_about_launcher(int ranks,
                                     const std::function<std::string(const char*)>& variables);

/// The rank that the launcher gives this process, by its variables; -1 where it tells none.
int rank_by_launcher();

/// Throws std::runtime_error where there is one about the launcher of this process. To be called
/// after MPI_Init.
void check_own_launcher();

}  // namespace regroup
