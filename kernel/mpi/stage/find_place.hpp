// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>

#include "kernel/places/place.hpp"

namespace regroup {

/// Where this process is. Hosts are told apart as clocks are (host_clock.hpp); tests pretend
/// several by the variable REGROUP_PRETENDED_NODE.
Spot own_spot();

/// Collective over `world`: where its ranks are, which only rank 0 gets to know. The first rank of
/// each host looks for the `facts` of it, which others would find to be the same.
Place find_place(const Spot& own, const std::function<HostFacts()>& facts, MPI_Comm world);

}  // namespace regroup
