// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "kernel/scenario.hpp"

namespace regroup {

/// "asynchronous(finished=release), create_group": a balancer with its options and its strategy.
std::string describe_balancer(const Scenario& scenario);

/// A run in one line, as progress and plans show it.
std::string describe(const Scenario& scenario);

/// "1:05:20", "12:03", "8 s".
std::string duration(double seconds);

}  // namespace regroup
