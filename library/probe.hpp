// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string_view>

namespace regroup {

/// Collective over `world`: has rank 0 print the answer to `word`. Whether it is one that asks.
bool answered(std::string_view word, MPI_Comm world);

}  // namespace regroup
