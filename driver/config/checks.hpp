// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "driver/config/experiment.hpp"
#include "driver/config/reader.hpp"

namespace regroup {

/// Checks combinations of valid values, for instance that engines support the number of ranks, that
/// files fit the runs, and that runs fit into virtual time. Throws UserError with FILE:LINE.
void check_combinations(const ConfigReader& reader, const Experiment& experiment);

/// Checks the tasks of an enumerated `experiment`. Throws UserError with FILE:LINE.
void check_tasks(const ConfigReader& reader, const Experiment& experiment);

}  // namespace regroup
