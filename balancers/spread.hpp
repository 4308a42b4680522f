// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

#include "kernel/balancer.hpp"
#include "kernel/options.hpp"

namespace regroup {

inline constexpr std::array<std::string_view, 2> loads_words{"known", "unknown"};
inline constexpr std::array<std::string_view, 2> start_words{"as_is", "proportional"};
inline constexpr std::array<std::string_view, 2> truth_words{"false", "true"};
inline constexpr std::array spread_options{
    choice_option("loads", "known", loads_words,
                  "whether groups know how many items they have; unknown: the smallest are helped"),
    choice_option("start_division", "as_is", start_words,
                  "proportional: all ranks are divided by loads at the very start"),
    choice_option("prefer_own_node", "false", truth_words,
                  "whether ranks help groups on their own node first, where nodes are known"),
};

std::unique_ptr<Balancer> make_spread(const Options& options);

}  // namespace regroup
