// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/mpi/measurement/measure.hpp"

namespace regroup {

/// What several creations take that are under way at once, and what part of that work hides: for
/// strategies and groups of which goes_on_beside_work holds; for others, nothing. `at_once` is the
/// number of creations of each group. Collective; whole on all ranks. Leaves no communicator
/// behind.
Samples measure_in_flight(const Bench& bench, int at_once);

}  // namespace regroup
