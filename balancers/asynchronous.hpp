// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

#include "kernel/balancer.hpp"
#include "kernel/catalog.hpp"

namespace regroup {

inline constexpr std::array asynchronous_options{
    OptionSpec{"finished", OptionSpec::Type::choice, "release", 0, 0, "release | merge",
               "what finished groups do among themselves"},
    OptionSpec{"listen_ms", OptionSpec::Type::real, "1", 1e-6, 1e6, "",
               "finished: merge listens this long, on average, before it tosses again"},
};

std::unique_ptr<Balancer> make_asynchronous(const Options& options);

/// Only groups that go on merging toss coins.
bool asynchronous_draws(const Options& options);

}  // namespace regroup
