// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/sorts.hpp"

#include "kernel/options.hpp"

namespace regroup {

bool is_plain_sort(std::string_view name) { return find_entry(plain_sorts, name) != nullptr; }

std::vector<std::string_view> ways_to_sort(std::span<const Strategy> all) {
  std::vector<std::string_view> names;
  for (const Strategy& strategy : all) {
    if (strategy.serves_balancers()) names.push_back(strategy.name);
  }
  for (const PlainSort& sort : plain_sorts) names.push_back(sort.name);
  return names;
}

}  // namespace regroup
