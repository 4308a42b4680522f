// SPDX-License-Identifier: BSD-3-Clause
//
// What communication costs in virtual time.
#pragma once

#include <optional>
#include <span>

#include "kernel/catalog.hpp"
#include "kernel/scenario.hpp"
#include "kernel/virtual/measured_costs.hpp"

namespace regroup {

/// The one list of cost models. All rows but `measured`, which reads files, take the same options
/// with other fallbacks.
std::span<const Entry> cost_models();

/// The costs of one run, in seconds.
class Costs {
 public:
  /// Throws UserError where a file of measured costs does not fit the scenario.
  explicit Costs(const Scenario& scenario);

  /// From the sending of a message between leaders to its arrival.
  double message() const { return message_; }

  /// A leader's look for a request after an item.
  double look() const { return look_; }

  /// From a leader's order to the last of `ranks` members that learns it.
  double tell(int ranks) const;

  /// An exchange of loads among `leaders`.
  double exchange(std::size_t leaders) const;

  /// Forming the communicator of `members` ranks with the scenario's strategy. A parent-collective
  /// strategy costs every rank the same, whatever the number of members.
  double create(int members) const;

 private:
  double per_level(const char* option) const { return options_.real(option) * 1e-6; }

  double bytes_per_s() const { return options_.real("bandwidth_mb_s") * 1e6; }

  Options options_;
  double message_;
  double look_;
  int ranks_;
  enum class Shape { none, log_parent, log_members, log_squared_members } shape_ = Shape::none;
  std::optional<MeasuredCosts> measured_;
};

}  // namespace regroup
