// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "driver/config/experiment.hpp"
#include "driver/config/reader.hpp"

namespace regroup {

/// Checks what single values of parameters cannot show: that engines can have the ranks, that files
/// fit the runs, that virtual time lasts long enough. Throws UserError with FILE:LINE.
void check_combinations(const ConfigReader& reader, const Experiment& experiment);

/// Checks the tasks that were found among the combinations.
void check_tasks(const ConfigReader& reader, const Experiment& experiment);

}  // namespace regroup
