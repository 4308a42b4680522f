// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/groups/rank_set.hpp"

namespace regroup {

/// Which ranks share a node. A value; copies share what they hold.
class NodeMap {
 public:
  /// Nobody knows, and all ranks are taken to be on one.
  NodeMap() = default;
  /// Those of the ranks 0, 1, …: equal numbers from 0 on where ranks share a node.
  explicit NodeMap(std::vector<int> nodes);
  /// The same of the ranks of each node, which together are all.
  static NodeMap of(std::span<const RankSet> nodes);

  bool known() const { return of_ranks_ != nullptr; }
  int nodes() const { return nodes_; }
  int most_ranks() const { return most_ranks_; }  ///< on one node; 0 where nobody knows
  int of(int rank) const { return known() ? (*of_ranks_)[static_cast<std::size_t>(rank)] : 0; }
  /// How many nodes `ranks` are on.
  int count(const RankSet& ranks) const;
  bool across(const RankSet& ranks) const { return count(ranks) > 1; }
  /// The fewest that so many ranks can be on.
  int fewest(int ranks) const;

  friend bool operator==(const NodeMap& a, const NodeMap& b) {
    return a.of_ranks_ == b.of_ranks_ || (a.known() && b.known() && *a.of_ranks_ == *b.of_ranks_);
  }

 private:
  std::shared_ptr<const std::vector<int>> of_ranks_;
  int nodes_ = 1;
  int most_ranks_ = 0;
  bool ascending_ = true;  // along the ranks
};

/// What ranks are taken to be on where nobody knows.
inline const NodeMap one_node;

/// So many nodes are needed for `ranks`.
constexpr int nodes_for(int ranks, int ranks_per_node) { return (ranks - 1) / ranks_per_node + 1; }

/// What is not as asked for where `ranks` are on so many nodes with at most `most` on each; empty
/// where all is. Of ranks that do not fill their nodes, any may have fewer. `ranks_per_node`: 0
/// asks for nothing.
std::string unlike_asked(int ranks_per_node, int ranks, int nodes, int most);
inline std::string unlike_asked(int ranks_per_node, int ranks, const NodeMap& came) {
  return unlike_asked(ranks_per_node, ranks, came.nodes(), came.most_ranks());
}

}  // namespace regroup
