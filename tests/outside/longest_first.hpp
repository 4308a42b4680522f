// SPDX-License-Identifier: BSD-3-Clause
//
// longest_first(interval): groups without work help where the most items are left per rank.
//
//   repeat
//     execute `exchange_interval` items, or those that are left; without work, none
//     exchange loads with everybody
//     all groups without work join the one with the most items left per rank
//   until nothing is left anywhere: then all groups join, and stop
#pragma once

#include <regroup/balancer.hpp>

/// Its row in the list of balancers.
extern const regroup::BalancerEntry longest_first_row;
