// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "communicators/rank_range.hpp"

namespace regroup {

/// The walker groups at the start of a run: `group_size` consecutive ranks each; the last group is
/// smaller where `group_size` does not divide `ranks`.
std::vector<RankRange> initial_groups(int ranks, int group_size);

}  // namespace regroup
