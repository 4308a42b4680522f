// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "driver/config/reader.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// Launches ranks to see what they find, in a job or outside of one, and prints what it means, a
/// line each: two, and then `ranks`; 0: as many as the configuration `config` has at most or, where
/// that has no path, as the job gives. Returns the exit code: 1 where something is wrong.
int preflight(const ConfigSource& config, int ranks, const Catalog& catalog);

}  // namespace regroup
