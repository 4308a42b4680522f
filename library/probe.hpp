// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string_view>

namespace regroup {

/// Prints the answer to `word` on rank 0, or returns false if `word` is no query. Collective.
bool answered(std::string_view word, MPI_Comm world);

}  // namespace regroup
