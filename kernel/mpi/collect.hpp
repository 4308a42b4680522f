// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "kernel/outcome.hpp"

namespace regroup {

/// Collective over `world`: brings what every rank lived through to rank 0, which gets one life per
/// group: the leader's, with the extremes over its members. Other ranks get nothing.
std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world);

/// The hosts that hold a rank.
struct Hosts {
  int cores = 0;         ///< of all of them
  bool crowded = false;  ///< one of them holds more ranks than it has cores
};

/// Collective over `world`; every rank gets the answer.
Hosts survey_hosts(MPI_Comm world);

/// Collective over `world`: the largest `value`. Valid on rank 0.
int largest(int value, MPI_Comm world);

}  // namespace regroup
