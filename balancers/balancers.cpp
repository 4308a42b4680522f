// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/balancers.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

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

std::unique_ptr<Balancer> make_balancer(const Choice& choice) {
  const BalancerEntry* entry = find_entry(balancers(), choice.name);
  if (entry == nullptr) {
    throw std::invalid_argument(fmt::format("unknown balancer '{}'", choice.name));
  }
  check_options(*entry, choice.options);
  return entry->make(choice.options);
}

}  // namespace regroup
