// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

#include "kernel/balancer.hpp"
#include "kernel/options.hpp"

namespace regroup {

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

}  // namespace regroup
