// SPDX-License-Identifier: BSD-3-Clause
//
// Communication costs in virtual time.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/groups.hpp"
#include "regroup/options.hpp"
#include "regroup/strategy.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// A cost at several sizes: (log2 of the size, seconds), ascending, at least one. Linear between
/// points and beyond the last, constant below the first.
using CostCurve = std::vector<std::pair<double, double>>;
double at(const CostCurve& curve, double log2_size);

/// Number of levels of a binary tree over `size`: its log2, or 0 for less than 1.
double levels_of(double size);

/// Costs on a real machine, in seconds, from measurements of creation and steps.
struct MeasuredCosts {
  double message = 0;
  double look = 0;
  CostCurve tell;      ///< by members of the group
  CostCurve exchange;  ///< by leaders
  CostCurve create;    ///< by members, or by ranks if the strategy is parent-collective
  friend bool operator==(const MeasuredCosts&, const MeasuredCosts&) = default;
};

/// Reads the costs of runs of `ranks` ranks with `strategy` (or nullptr) from the files
/// `costs_file` and `steps_file`: rows with status ok (for creation, also pattern one_group) and
/// the nearest number of ranks. Creation times of a parent-collective strategy use all numbers of
/// ranks. Throws UserError, with the file, if it cannot be read or has no such row.
MeasuredCosts read_measured_costs(const Options& options, int ranks, const Strategy* strategy);

/// The costs of one run, in seconds.
class Costs {
 public:
  /// Communication is free.
  Costs() = default;

  /// Costs proportional to levels of trees, for runs of `ranks` ranks with `strategy`, or nullptr.
  Costs(const Options& options, int ranks, const Strategy* strategy);

  /// Measured costs.
  Costs(MeasuredCosts measured, int ranks, const Strategy* strategy);

  /// Returns the costs for ranks on `nodes`: communication within a node may be cheaper.
  Costs on(NodeMap nodes) const;

  // In the functions below, `ranks` or `members` are on `nodes` nodes; 0: as few as possible. Trees
  // first connect nodes, then the ranks of each node.

  /// Time of a message between leaders.
  double message() const { return message_; }
  double message(int from, int to) const {
    return differ() && nodes_.of(from) == nodes_.of(to) ? message_inside_ : message_;
  }

  /// Time of a leader to look for a request after an item.
  double look() const { return look_; }

  /// Time of an order of the leader to all `ranks` members.
  double tell(int ranks, int nodes = 0) const;
  double tell(const RankSet& ranks) const { return tell(ranks.size(), count(ranks)); }

  /// Time of an exchange of loads among `leaders`.
  double exchange(std::size_t leaders) const;

  /// Time to create the communicator of `members`. The cost of a parent-collective strategy does
  /// not depend on the members. A strategy that creates ranges locally sends an order to the
  /// members of other groups.
  double create(const RankSet& members) const {
    return create(members.size(), members.is_range(), count(members));
  }
  double create(int members, bool range = true, int nodes = 0) const;

  /// Time to hand over a state of `bytes` bytes to `members`: an allreduce finds the owner, which
  /// broadcasts it. `from_elsewhere`: no member has the state.
  double hand_over(int members, std::int64_t bytes, bool from_elsewhere = false,
                   int nodes = 0) const;

  /// Number of nodes of `ranks`; 0 if nodes do not affect costs.
  int count(const RankSet& ranks) const { return differ() ? nodes_.count(ranks) : 0; }

  /// Returns costs in which the creation of a communicator takes `factor` times as long.
  Costs with_dearer_creation(double factor) const;

  friend bool operator==(const Costs&, const Costs&) = default;

 private:
  bool differ() const { return nodes_.known() && (inside_latency_ != 1 || inside_bandwidth_ != 1); }
  /// Levels of a tree over `size` ranks on `nodes` nodes, in units of levels between nodes.
  double levels(double size, int nodes) const;

  double message_ = 0;
  double message_inside_ = 0;
  double look_ = 0;
  double tell_ = 0;  // per level, like exchange_ and create_
  double exchange_ = 0;
  double create_ = 0;
  double create_factor_ = 1;
  double bytes_per_s_ = std::numeric_limits<double>::infinity();
  double inside_latency_ = 1;    // within a node, relative to between nodes
  double inside_bandwidth_ = 1;  // as above
  NodeMap nodes_;
  int ranks_ = 1;
  Growth growth_ = Growth::none;
  std::optional<MeasuredCosts> measured_;
};

/// The forecast of leaders; refers to `time` and `costs`. `state_bytes`: size of a walker's state.
Forecast forecast_of(const ItemTime& time, const Costs& costs, std::int64_t state_bytes = 0);

/// A row of the list of cost models.
struct CostModel : Entry {
  /// Throws UserError if a file of measured costs cannot be read or has no rows for such runs.
  Costs (*make)(const Options& options, int ranks, const Strategy* strategy);
};

std::span<const CostModel> cost_models();

}  // namespace regroup
