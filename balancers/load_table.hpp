// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "balancers/sorted_blocks.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// The working groups as reported to rank 0, with their ranks and predicted ends. Times are seconds
/// since the start of the run.
struct HelpTable {
  /// A number of ranks that are to help the group of `contact`.
  struct Share {
    int contact = 0;
    int ranks = 0;
    int walker = Chain::none;
    bool watched = false;  ///< the group is to report item times before and after
  };

  struct Working {
    int contact = 0;
    int ranks = 0;
    double end = 0;
    int node = 0;  ///< of the contact
    bool accepts_help = true;
    bool shrinks = false;  ///< an order to shrink is unanswered
  };

  using Need = std::pair<double, int>;  ///< key (least for the greatest need) and walker
  using Needs = SortedBlocks<Need>;

  struct WalkerOf {
    int operator()(const std::pair<int, Working>& entry) const { return entry.first; }
  };

  bool by_ends = true;   ///< help goes to the groups that end last; otherwise to the smallest
  bool by_node = false;  ///< ranks may prefer groups on their own node
  int most_ranks = 0;    ///< maximum size of a helped group; 0: no limit
  double now = 0;
  SortedBlocks<std::pair<int, Working>, WalkerOf> groups = {};  ///< by walker
  Needs needs = {};                                             ///< of groups that can be helped
  std::map<int, Needs> needs_by_node = {};                      ///< the same, if `by_node`
  Needs full = {};  ///< of groups that accept help, but are not predicted to gain from it

  /// Returns the group of `walker`; nullptr if there is none.
  Working* find(int walker);
  /// Returns the group of `walker`. Throws std::out_of_range if there is none.
  Working& at(int walker);

  /// Adds the group of `chain`, which works with `ranks` ranks from the later of `now` and `from`.
  /// `contact` is one of its ranks, on `node`.
  void add(const Chain& chain, int contact, int ranks, const Forecast& forecast, double from = 0,
           int node = 0);

  /// Removes the group of `chain`, which is about to execute its last items. Returns the time at
  /// which its `ranks` ranks are free.
  double remove(const Chain& chain, int ranks, const Forecast& forecast);

  /// Removes the group of `chain`, and divides its `ranks` ranks among other groups by water
  /// filling: one rank at a time for the group in the greatest need, while that helps and is worth
  /// a regrouping. With unknown loads, a group receives an eighth of its ranks at a time, to limit
  /// the number of regroupings. If `nodes` of the ranks are given (requires `by_node`), ranks
  /// prefer groups on their own node, and shares take ranks from left to right.
  std::vector<Share> distribute(const Chain& chain, int ranks, const Forecast& forecast,
                                const std::vector<int>& nodes = {});

  /// Sets whether the group of `walker`, if there is one, accepts help.
  void accept_help(int walker, bool accepts);

  /// Corrects the number of items left of the group of `chain`, if there is one.
  void correct(const Chain& chain, const Forecast& forecast);

  /// Changes the size of the group of `walker` by a regrouping now. Throws as at().
  void resize(int walker, int ranks, const Forecast& forecast);

  /// Returns the number of items that the group has left at `from`; 0 if items take no time.
  static double items_left(const Working& group, double from, const Forecast& forecast) {
    const double item_s = forecast.item_s(group.ranks);
    return item_s > 0 ? (group.end - from) / item_s : 0;
  }

  /// Returns when the last group ends if the ranks of finished groups help others.
  double last_end(const Forecast& forecast) const;

  /// Replaces the forecast `before`, with which the ends were computed, by `forecast`.
  void forecast_again(const Forecast& before, const Forecast& forecast);

 private:
  Need need(int walker, const Working& group) const {
    return {by_ends ? -group.end : group.ranks, walker};
  }
  /// Returns the needs on `node` if a group there still works at `free_at`; otherwise all needs.
  const Needs& needs_near(int node, double free_at) const;
  void insert(int walker, const Working& group);
  void insert_full(int walker, const Working& group) { full.insert(need(walker, group)); }
  bool erase(int walker, const Working& group);  // returns whether it was listed
};

/// Divides `ranks` ranks among chains so that the last chain ends as early as possible: one rank
/// for each chain with items, then one at a time for the chain that ends last, while that helps.
std::vector<int> shares_by_load(std::span<const std::int64_t> items, int ranks,
                                const Forecast& forecast);

}  // namespace regroup
