// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/balancers.hpp"

#include <array>

#include "balancers/asynchronous.hpp"
#include "balancers/collective.hpp"
#include "balancers/none.hpp"

namespace regroup {
namespace {

constexpr std::array entries{
    BalancerEntry{
        {"none", "never regroup: the baseline", {}}, Regrouping::never, make_none, draws_nothing},
    BalancerEntry{
        {"collective", "all ranks exchange loads every `interval` items", collective_options},
        Regrouping::in_exchanges,
        make_collective,
        draws_nothing},
    BalancerEntry{{"asynchronous", "a finished group asks the group on its right, and nobody else",
                   asynchronous_options},
                  Regrouping::any_time,
                  make_asynchronous,
                  asynchronous_draws},
};

}  // namespace

std::span<const BalancerEntry> balancers() { return entries; }

}  // namespace regroup
