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

/// Which groups work, with how many ranks and until when, as reported to rank 0. Times are seconds
/// since the start.
struct HelpTable {
  /// So many ranks for the group of `contact`.
  struct Share {
    int contact = 0;
    int ranks = 0;
    int walker = Chain::none;
    bool watched = false;  ///< the group is to tell what items take before and after
  };

  struct Working {
    int contact = 0;
    int ranks = 0;
    double end = 0;
    int node = 0;  ///< of the contact
    bool accepts_help = true;
    bool shrinks = false;  ///< it is told to, and has not answered
  };

  using Need = std::pair<double, int>;  ///< the greater, the smaller; and the walker
  using Needs = SortedBlocks<Need>;

  struct WalkerOf {
    int operator()(const std::pair<int, Working>& entry) const { return entry.first; }
  };

  bool by_ends = true;   ///< groups that end last are helped, otherwise those with the fewest ranks
  bool by_node = false;  ///< ranks may prefer groups on their own node
  int most_ranks = 0;    ///< no group is given more; 0: no limit
  double now = 0;
  SortedBlocks<std::pair<int, Working>, WalkerOf> groups = {};  ///< by walker
  Needs needs = {};                                             ///< of groups that can be helped
  std::map<int, Needs> needs_by_node = {};                      ///< the same, if `by_node`
  Needs full = {};  ///< of groups that accept help, which more ranks seem not to make faster

  /// The group of `walker`; nullptr where there is none.
  Working* find(int walker);
  /// … which there is.
  Working& at(int walker);

  /// The group of `chain` works with so many ranks, from now on or from a later time; `contact` is
  /// one of them, on `node`.
  void add(const Chain& chain, int contact, int ranks, const Forecast& forecast, double from = 0,
           int node = 0);

  /// Removes the group of `chain`, which is about to execute its last items. Returns the time at
  /// which its `ranks` ranks are free.
  double remove(const Chain& chain, int ranks, const Forecast& forecast);

  /// Removes the group of `chain`, and returns which groups its `ranks` ranks are to help then:
  /// water filling, one rank at a time to the group in the greatest need, while that helps and is
  /// worth a regrouping. With unknown loads, a group is given an eighth of its ranks at a time, so
  /// that there are not too many regroupings. Ranks prefer groups on their own node, if `nodes` of
  /// the ranks are given (which needs `by_node`); shares then take ranks from left to right.
  std::vector<Share> distribute(const Chain& chain, int ranks, const Forecast& forecast,
                                const std::vector<int>& nodes = {});

  /// The group of `walker`, if there is one, accepts no more help, or accepts it again.
  void accept_help(int walker, bool accepts);

  /// The group of `chain`, if there is one, has so many items left now.
  void correct(const Chain& chain, const Forecast& forecast);

  /// The group of `walker`, which there is, has so many ranks from now on, by a regrouping.
  void resize(int walker, int ranks, const Forecast& forecast);

  /// Items that the group has left at `from`; 0 where they take no time.
  static double items_left(const Working& group, double from, const Forecast& forecast) {
    const double item_s = forecast.item_s(group.ranks);
    return item_s > 0 ? (group.end - from) / item_s : 0;
  }

  /// When the last group ends if the ranks of each help others when it is done.
  double last_end(const Forecast& forecast) const;

  /// Everything by another forecast.
  void forecast_again(const Forecast& before, const Forecast& forecast);

 private:
  Need need(int walker, const Working& group) const {
    return {by_ends ? -group.end : group.ranks, walker};
  }
  /// Those on `node`, if one of them still works at `free_at`; else all.
  const Needs& needs_near(int node, double free_at) const;
  void insert(int walker, const Working& group);
  void insert_full(int walker, const Working& group) { full.insert(need(walker, group)); }
  bool erase(int walker, const Working& group);  // whether it could be helped
};

/// How many of `ranks` ranks each chain gets so that the last one ends as early as it can: one for
/// each chain with items, and then one at a time to the chain that ends last, while that helps.
std::vector<int> shares_by_load(std::span<const std::int64_t> items, int ranks,
                                const Forecast& forecast);

}  // namespace regroup
