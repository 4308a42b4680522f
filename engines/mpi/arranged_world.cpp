// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/arranged_world.hpp"

#include <algorithm>

#include "engines/mpi/surroundings.hpp"
#include "kernel/rank_order.hpp"
#include "regroup/groups.hpp"

namespace regroup {

ArrangedWorld::ArrangedWorld(const std::string& host, const Arrangement& asked, MPI_Comm world)
    : comm_(world) {
  const bool as_launched = asked.order == order_words.front();
  if (as_launched && asked.ranks_per_node == 0) return;
  const std::vector<int> nodes = find_nodes(host, world);
  const std::string wrong =
      node_mismatch(asked.ranks_per_node, static_cast<int>(nodes.size()), NodeMap(nodes));
  if (!wrong.empty()) throw Misplaced(wrong);
  if (as_launched) return;
  const std::vector<int> ranks = in_order(asked.order, nodes, asked.seed);
  const auto place = std::ranges::find(ranks, rank()) - ranks.begin();
  MPI_Comm_split(world, 0, static_cast<int>(place), &comm_);
  split_ = true;
}

ArrangedWorld::~ArrangedWorld() {
  if (split_) MPI_Comm_free(&comm_);
}

int ArrangedWorld::rank() const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  return rank;
}

}  // namespace regroup
