// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/configuration/experiment.hpp"
#include "jobs/configuration/reader.hpp"

namespace regroup {

/// Checks what single values of parameters cannot tell: that engines can have the ranks, that files
/// fit the runs, that virtual time lasts long enough, and that groups fit into the ranks. Throws
/// UserError with FILE:LINE.
void check(const ConfigReader& reader, const Experiment& experiment);

/// Checks the tasks that were found among the combinations.
void check_tasks(const ConfigReader& reader, const Experiment& experiment);

}  // namespace regroup
