// SPDX-License-Identifier: BSD-3-Clause
//
// What happens in a run without time, in words.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "kernel/balancer.hpp"
#include "kernel/rules.hpp"

namespace regroup {

inline std::string words(const Message& message) {
  constexpr std::array kinds{"request", "accept", "refuse", "release"};
  return fmt::format("{} of {} ({} items of walker {})",
                     kinds.at(static_cast<std::size_t>(message.kind)), name_of(message.ranks),
                     message.items_left, message.walker);
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
  std::string operator()(const Merge& merge) const {
    return fmt::format("merges to {} with {} items of walker {}", name_of(merge.ranks),
                       merge.items_left, merge.walker);
  }
  std::string operator()(const Stop&) const { return "stops"; }
};

}  // namespace regroup
