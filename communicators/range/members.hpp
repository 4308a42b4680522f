// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

/// Appends the members rank … rank + size - 1; extends the last run if they continue it.
void add_run(std::pmr::vector<RankRuns::Run>& runs, int rank, int size);

/// Returns `of` with its members replaced by those of `runs`.
Context with_members(Context of, std::span<const RankRuns::Run> runs);

}  // namespace regroup::range
