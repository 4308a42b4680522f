// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "regroup/outcome.hpp"

namespace regroup {

/// Collective over `world`. Rank 0 gets one life per group, its leader's with the extremes over its
/// members, in the order of Outcome::lives; other ranks nothing.
std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world);

/// Chains that ended early had what was executed of them. `lives`: as collected.
void count_executed_items(std::span<GroupLife> lives);

/// Collective over `world`. Rank 0 gets the chains that any rank saw end, others nothing.
std::vector<ChainEnd> collect_chains(std::span<const ChainEnd> own, MPI_Comm world);

/// Collective over `world`: the largest `value`, the sum of all. Valid on rank 0.
std::int64_t largest(std::int64_t value, MPI_Comm world);
double worst(double value, MPI_Comm world);
double sum(double value, MPI_Comm world);

}  // namespace regroup
