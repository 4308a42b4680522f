// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "kernel/balancer.hpp"
#include "kernel/catalog.hpp"

namespace regroup {

/// When the groups of a balancer change, and so who can be asked to take part in forming a
/// communicator: a parent-collective strategy needs every rank at once, which only an exchange
/// brings together.
enum class Regrouping { never, in_exchanges, any_time };

struct BalancerEntry : Entry {
  Regrouping regrouping;
  std::unique_ptr<Balancer> (*make)(const Options& options);
  /// Whether its decisions depend on `Knowledge::random`. Where they do not, and nothing else of a
  /// run is drawn, repetitions in virtual time are equal, and are left out.
  bool (*draws)(const Options& options);
};

/// `BalancerEntry::draws` of balancers that never look at `Knowledge::random`.
inline bool draws_nothing(const Options&) { return false; }

/// The one list of balancers.
std::span<const BalancerEntry> balancers();

/// The balancer that `choice` names. Throws std::invalid_argument where there is none of that name.
std::unique_ptr<Balancer> make_balancer(const Choice& choice);

}  // namespace regroup
