// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/site.hpp"
#include "kernel/mpi/stage/shared_clock.hpp"

namespace regroup {

/// Waits until all ranks of `world` have come, and then for a moment that rank 0 names on the clock
/// that all share and that lies ahead for everybody; answers it. Collective; forms no communicator.
/// This is how the samples of measurements begin, so no time lasts from one call to the next: where
/// the last look at the clocks of other hosts is long ago, there is one first.
double common_start(Site& world, SharedClock& clock);

}  // namespace regroup
