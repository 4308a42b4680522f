// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <span>

#include "regroup/balancer.hpp"
#include "regroup/options.hpp"

namespace regroup {

std::unique_ptr<Balancer> make_none(const Options& options);

inline constexpr std::array collective_options{
    integer_option("exchange_interval", "16", 1, 1e9, "items between two exchanges of loads"),
};

std::unique_ptr<Balancer> make_collective(const Options& options);

inline constexpr std::array<std::string_view, 2> finished_words{"release", "merge"};
inline constexpr std::array asynchronous_options{
    choice_option("finished_groups", "release", finished_words,
                  "what finished groups do among themselves"),
    real_option("listen_ms", "1", 1e-6, 1e6,
                "finished_groups: merge listens this long, on average, before it tosses again"),
};

std::unique_ptr<Balancer> make_asynchronous(const Options& options);

/// Only groups that go on merging toss coins.
bool asynchronous_draws(const Options& options);

std::unique_ptr<Balancer> make_two_sided(const Options& options);

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

std::unique_ptr<Balancer> make_batch(const Options& options);

/// The one list of balancers.
std::span<const BalancerEntry> balancers();

}  // namespace regroup
