// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "kernel/outcome.hpp"

namespace regroup {

/// Collective over `world`: brings what every rank lived through to rank 0, which gets one life per
/// group: the leader's, with the extremes over its members, in the order of Outcome::lives. Other
/// ranks get nothing.
std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world);

/// Collective over `world`: the largest `value`. Valid on rank 0.
int largest(int value, MPI_Comm world);

}  // namespace regroup
