// SPDX-License-Identifier: BSD-3-Clause
//
// What communication costs in virtual time.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "communicators/strategies.hpp"
#include "kernel/forecast.hpp"
#include "kernel/groups/rank_set.hpp"
#include "kernel/items/item_time.hpp"
#include "kernel/options.hpp"
#include "kernel/virtual/measured_costs.hpp"

namespace regroup {

/// The costs of one run, in seconds.
class Costs {
 public:
  /// Communication is free.
  Costs() = default;

  /// By the levels of trees; `options` are those of the cost models with such. For runs of `ranks`
  /// ranks that form communicators with `strategy`, or nullptr.
  Costs(const Options& options, int ranks, const Strategy* strategy);

  /// As measured.
  Costs(MeasuredCosts measured, int ranks, const Strategy* strategy);

  /// From the sending of a message between leaders to its arrival.
  double message() const { return message_; }

  /// A leader's look for a request after an item.
  double look() const { return look_; }

  /// From a leader's order to the last of `ranks` members that learns it.
  double tell(int ranks) const;

  /// An exchange of loads among `leaders`.
  double exchange(std::size_t leaders) const;

  /// Forming the communicator of `members` with the run's strategy. A parent-collective strategy
  /// costs every rank the same, whatever the number of members; one that forms ranges at once
  /// tells the members of other groups.
  double create(const RankSet& members) const { return create(members.size(), members.is_range()); }
  double create(int members, bool range = true) const;

  /// Handing a state of so many bytes to those of `members` that lack it: they agree on who has it
  /// by an allreduce, and it broadcasts. `from_elsewhere`: none of them has it.
  double hand_over(int members, std::int64_t bytes, bool from_elsewhere = false) const;

  /// The same costs, but for forming a communicator, which takes `factor` times as long.
  Costs with_dearer_creation(double factor) const;

  friend bool operator==(const Costs&, const Costs&) = default;

 private:
  double message_ = 0;
  double look_ = 0;
  double tell_ = 0;  // this and the next two: a level
  double exchange_ = 0;
  double create_ = 0;
  double create_factor_ = 1;
  double bytes_per_s_ = std::numeric_limits<double>::infinity();
  int ranks_ = 1;
  Growth growth_ = Growth::none;
  std::optional<MeasuredCosts> measured_;
};

/// What leaders of a run with these expect, whose walkers have states of so many bytes; it refers
/// to both.
Forecast forecast_of(const ItemTime& time, const Costs& costs, std::int64_t state_bytes = 0);

/// A row of the list of cost models.
struct CostModel : Entry {
  /// Throws UserError where a file of measured costs cannot be read, or has nothing for such runs.
  Costs (*make)(const Options& options, int ranks, const Strategy* strategy);
};

/// The list of cost models.
std::span<const CostModel> cost_models();

}  // namespace regroup
