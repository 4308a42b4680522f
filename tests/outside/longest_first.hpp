// SPDX-License-Identifier: BSD-3-Clause
//
// longest_first(interval): groups without work help where the most items are left per rank.
//
//   repeat
//     execute at most `exchange_interval` of the items that are left
//     exchange loads with all groups
//     all groups without work join the one with the most items left per rank
//   until no group has items left: then all groups join, and stop
#pragma once

#include <regroup/balancer.hpp>

/// Its row in the list of balancers.
extern const regroup::BalancerEntry longest_first_row;
