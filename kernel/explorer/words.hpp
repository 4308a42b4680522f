// SPDX-License-Identifier: BSD-3-Clause
//
// What happens in a run without time, in words.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "kernel/balancer.hpp"
#include "kernel/rules.hpp"

namespace regroup {

inline std::string words_of(const Message& message, const Balancer& balancer) {
  std::string text = fmt::format("{} of rank {}", balancer.word(message.word), message.from);
  if (!message.ranks.empty()) text += fmt::format(" ({})", name_of(message.ranks));
  return fmt::format("{} [{}]", text, fmt::join(message.numbers, ", "));
}

/// What a group does, in words.
struct Verb {
  template <class Ready>
  std::string operator()(const Ready&) const {
    return "is to decide";
  }
  std::string operator()(const Work& work) const {
    return fmt::format("works on {} items{}", work.items, work.listening ? ", listening" : "");
  }
  std::string operator()(const Wait& wait) const {
    return wait.at_most_s ? "waits for a while" : "waits";
  }
  std::string operator()(const Exchange&) const { return "exchanges loads"; }
  std::string operator()(const Regroup& regroup) const {
    std::vector<std::string> groups;
    for (const Group& group : regroup.groups) {
      groups.push_back(fmt::format("{} with {}", name_of(group.ranks), name_of(group.chain)));
    }
    return fmt::format("regroups to {}", fmt::join(groups, ", "));
  }
  std::string operator()(const Stop&) const { return "stops"; }
};

}  // namespace regroup
