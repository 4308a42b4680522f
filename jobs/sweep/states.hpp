// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "jobs/configuration/experiment.hpp"

namespace regroup {

/// Before the runs at `places` of `experiment` begin, makes what they go on from: what was written
/// of them before, where they are `resumed`, else the states in the directory `given`, or nothing.
/// Throws UserError where that is damaged or of other chains; then nothing has changed.
void prepare_states(const Experiment& experiment, std::span<const std::size_t> places,
                    const std::string& logs, const std::string& given, bool resumed);

}  // namespace regroup
