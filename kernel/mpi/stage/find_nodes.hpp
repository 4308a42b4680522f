// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace regroup {

/// The texts of all ranks of `world` on rank 0; others get none. Collective.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm world);

/// The nodes of all ranks of `world`, on every rank: ranks with an equal `host` share one, and they
/// are numbered by their lowest ranks. Collective.
std::vector<int> find_nodes(const std::string& host, MPI_Comm world);

}  // namespace regroup
