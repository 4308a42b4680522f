// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "kernel/mpi/measurement/measure.hpp"

namespace regroup {

/// How many communicators can be alive at a time, at first and after a storm of `regroupings`
/// random ones by the strategy of `subject`. Collective over `world`; whole on all ranks. Leaves no
/// communicator behind.
std::map<std::string, double> measure_storm(const Subject& subject, Site& world, int regroupings);

}  // namespace regroup
