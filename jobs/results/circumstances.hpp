// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

#include "jobs/records/provenance.hpp"
#include "jobs/results/results.hpp"

namespace regroup {

/// Throws UserError where `results` have rows of invocations whose circumstances, which are `known`
/// as far as they are, are unlike `ours`, those of the invocation `own`.
void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own);

}  // namespace regroup
