// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "regroup/outcome.hpp"

namespace regroup {

/// Ranks, walker and items of each life, in their order.
inline std::vector<std::string> told(const std::vector<GroupLife>& lives) {
  std::vector<std::string> all;
  for (const GroupLife& life : lives) {
    all.push_back(fmt::format("{}: {}, {} to {}", text_of(life.ranks), life.walker,
                              life.items_before, life.items_after));
  }
  return all;
}

}  // namespace regroup
