// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/balancer.hpp"

namespace regroup {

std::vector<Group> Balancer::plan(std::span<const Group> groups, const Forecast&) const {
  return {groups.begin(), groups.end()};
}

std::string_view Balancer::word(std::int32_t) const { return "message"; }

}  // namespace regroup
