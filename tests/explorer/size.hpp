// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Under sanitizers everything takes ten times as long, so less is explored.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool explore_less = true;
#else
inline constexpr bool explore_less = false;
#endif

}  // namespace regroup
