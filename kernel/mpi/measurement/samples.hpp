// SPDX-License-Identifier: BSD-3-Clause
//
// How groups are timed that some of the ranks form: each sample begins at a common start
// (common_start.hpp) and ends with the last member's end; the time that one member takes would say
// little, since it may come when all is there. Ranks outside, and who is done, sleep for as long as
// samples take: polling for the next one would take the cores from others.
#pragma once

#include <functional>
#include <vector>

#include "communicators/group_comm.hpp"
#include "communicators/members.hpp"
#include "kernel/mpi/measurement/measure.hpp"

namespace regroup {

/// The communicator of `members`, by the strategy of the measurement; none on other ranks, which do
/// nothing but what the strategy wants of them. Throws std::runtime_error where it has not got the
/// members' number of ranks. Called by all ranks.
GroupComm make_communicator(const Bench& bench, const Members& members);

/// Samples that do not count come first.
inline constexpr int warm_ups = 3;

/// The largest of all ranks, for each of `numbers`. Collective.
std::vector<double> largest_of_all(const std::vector<double>& numbers, Site& world);

/// `samples` with the largest value of all ranks in each. Collective.
std::vector<Sample> of_the_slowest(std::vector<Sample> samples, Site& world);

/// What the slowest of all ranks takes to `act`, in each of `samples` samples, after some that only
/// warm up. All ranks act in each of them; the time of those that are no members does not count.
/// Collective; all ranks learn the times.
std::vector<Sample> time_samples(const Bench& bench, int samples, bool is_member,
                                 const std::function<void()>& act);

}  // namespace regroup
