// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measure.hpp"

namespace regroup {

std::map<std::string, double> measure_creation(const Bench&) { return {}; }

}  // namespace regroup
