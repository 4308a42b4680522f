// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "regroup/outcome.hpp"

namespace regroup {

/// Collective over `world`: brings what every rank lived through to rank 0, which gets one life per
/// group: the leader's, with the extremes over its members, in the order of Outcome::lives. Other
/// ranks get nothing.
std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world);

/// Of chains that ended before they had no items left: what was executed of them is what they had.
/// `lives` as they were collected.
void count_executed_items(std::span<GroupLife> lives);

/// Collective over `world`: what every rank saw end. Rank 0 gets all, others nothing.
std::vector<ChainEnd> collect_chains(std::span<const ChainEnd> own, MPI_Comm world);

/// Collective over `world`: the largest `value`, the sum of all. Valid on rank 0.
std::int64_t largest(std::int64_t value, MPI_Comm world);
double worst(double value, MPI_Comm world);
double sum(double value, MPI_Comm world);

}  // namespace regroup
