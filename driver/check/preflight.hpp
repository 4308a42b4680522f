// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "driver/config/reader.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// Launches two ranks and then `ranks`, in a job or outside of one, and prints a line for each
/// finding. `ranks` 0: the largest number in the configuration `config` or, if its path is empty,
/// the number that the job provides. Returns the exit code: 1 if something is wrong.
int preflight(const ConfigSource& config, int ranks, const Catalog& catalog);

}  // namespace regroup
