// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/configuration/choices.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/balancer.hpp"

namespace regroup {

/// The values of one balancer's options, and the communicator strategies that it is run with.
struct Balancings {
  Choices balancers;
  std::vector<std::string> communicators;

  std::size_t size() const { return product(balancers.size(), communicators.size()); }
  /// The communicator varies fastest.
  std::pair<Choice, std::string> at(std::size_t place) const {
    return {balancers.at(place / communicators.size()),
            communicators[place % communicators.size()]};
  }
};

/// The names of the strategies that `balancer` can be run with: one that is empty where it never
/// regroups.
std::vector<std::string> communicators_of(const BalancerEntry& balancer);

/// The key `communicator` of `balancer`, where it ever regroups.
std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer);

/// The values of the key `balancers`. Throws UserError with FILE:LINE for every mistake.
Joined<Balancings> read_balancings(const ConfigReader& reader);

}  // namespace regroup
