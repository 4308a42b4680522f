// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

/// Adds `size` members from `rank` on, to the last run if they continue it.
void add_run(std::pmr::vector<RankRuns::Run>& runs, int rank, int size);

/// `of` with the members of `runs` instead of its own.
Context with_members(Context of, std::span<const RankRuns::Run> runs);

}  // namespace regroup::range
