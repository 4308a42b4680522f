// SPDX-License-Identifier: BSD-3-Clause
//
// longest_first(interval): who has no work helps where the most work is left for each rank.
//
//   repeat
//     execute `exchange_interval` items, or those that are left; without work, none
//     exchange loads with everybody
//     all groups without work join the one with the most items left for each of its ranks
//   until nothing is left anywhere: then all groups join, and stop
#pragma once

#include <regroup/balancer.hpp>

/// What `regroup list balancers` tells of it, and how it is made.
extern const regroup::BalancerEntry longest_first_row;
