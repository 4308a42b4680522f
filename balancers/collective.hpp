// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

#include "kernel/balancer.hpp"
#include "kernel/options.hpp"

namespace regroup {

inline constexpr std::array collective_options{
    integer_option("exchange_interval", "16", 1, 1e9, "items between two exchanges of loads"),
};

std::unique_ptr<Balancer> make_collective(const Options& options);

}  // namespace regroup
