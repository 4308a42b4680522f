// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/arranged_world.hpp"

#include <gtest/gtest.h>

#include "engines/mpi/surroundings.hpp"
#include "kernel/rank_order.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

/// The hosts of ranks that a launcher puts on two in turns.
std::string own_host() { return "host " + std::to_string(world().rank % 2); }

TEST(FindNodes, TellsEverybodyWhoIsWhere) {
  world().waiter.blocking([] {
    const std::vector<int> nodes = find_nodes(own_host(), MPI_COMM_WORLD);
    ASSERT_EQ(nodes.size(), static_cast<std::size_t>(world().ranks));
    for (int rank = 0; rank < world().ranks; ++rank) {
      EXPECT_EQ(nodes[static_cast<std::size_t>(rank)], rank % 2);
    }
  });
}

TEST(ArrangedWorld, IsTheOneThatWasLaunchedWhereNothingIsAsked) {
  world().waiter.blocking([] {
    EXPECT_EQ(ArrangedWorld(own_host(), {}, MPI_COMM_WORLD).comm(), MPI_COMM_WORLD);
    const int most = (world().ranks + 1) / 2;
    const int asked = world().ranks > 1 ? most : 1;
    EXPECT_EQ(ArrangedWorld(own_host(), {asked, "launcher", 1}, MPI_COMM_WORLD).comm(),
              MPI_COMM_WORLD);
  });
}

TEST(ArrangedWorld, HasItsRanksInTheOrderThatWasAskedFor) {
  world().waiter.blocking([] {
    const std::vector<int> before = find_nodes(own_host(), MPI_COMM_WORLD);
    for (const std::string_view order : order_words) {
      const ArrangedWorld arranged(own_host(), {0, order, 7}, MPI_COMM_WORLD);
      int ranks = 0;
      MPI_Comm_size(arranged.comm(), &ranks);
      EXPECT_EQ(ranks, world().ranks);
      const std::vector<int> expected = in_order(order, before, 7);
      EXPECT_EQ(expected[static_cast<std::size_t>(arranged.rank())], world().rank) << order;
    }
  });
}

TEST(ArrangedWorld, OfOtherNodesThanWereAskedForIsRefusedByAll) {
  world().waiter.blocking([] {
    EXPECT_NO_THROW(ArrangedWorld("here", {world().ranks, "packed", 1}, MPI_COMM_WORLD));
    if (world().ranks == 1) return;
    EXPECT_THROW(ArrangedWorld("here", {world().ranks - 1, "packed", 1}, MPI_COMM_WORLD),
                 Misplaced);
    EXPECT_THROW(ArrangedWorld(own_host(), {world().ranks, "launcher", 1}, MPI_COMM_WORLD),
                 Misplaced);
  });
}

}  // namespace
}  // namespace regroup
