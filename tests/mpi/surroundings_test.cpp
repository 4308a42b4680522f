// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/surroundings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engines/mpi/arranged_world.hpp"
#include "kernel/places/host.hpp"
#include "kernel/rank_order.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::surroundings_test {
namespace {

/// Returns the place of ranks that alternate between `hosts` hosts with the same name and two
/// processors each, and the number of ranks that collected facts.
std::pair<Place, int> found(int hosts) {
  const int host = world().rank % hosts;
  int looks = 0;
  Place place;
  world().waiter.blocking([&] {
    const auto facts = [&] {
      ++looks;
      HostFacts own;
      own.kernel = "of rank " + std::to_string(world().rank);
      return own;
    };
    place =
        find_place({"host " + std::to_string(host), "same name", {0, 1}}, facts, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &looks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  });
  return {place, looks};
}

TEST(FindPlace, TellsRank0OfEveryRankOnItsHost) {
  for (const int hosts : {1, 2, 3}) {
    const Place place = found(hosts).first;
    if (world().rank != 0) {
      EXPECT_TRUE(place.nodes.empty());
      continue;
    }
    EXPECT_EQ(complaint_about(place, world().ranks), "");
    const int used = std::min(hosts, world().ranks);
    ASSERT_EQ(place.nodes.size(), static_cast<std::size_t>(used));
    for (int rank = 0; rank < world().ranks; ++rank) {
      const Node& node = place.nodes[static_cast<std::size_t>(rank % hosts)];
      EXPECT_TRUE(node.ranks().contains(rank));
      EXPECT_EQ(node.name, "same name");
    }
    EXPECT_EQ(place.crowded(), (world().ranks + hosts - 1) / hosts > 2);
  }
}

TEST(FindPlace, LooksForFactsOnTheFirstRankOfEachHost) {
  const auto [place, looks] = found(2);
  EXPECT_EQ(looks, std::min(2, world().ranks));
  for (std::size_t i = 0; i < place.nodes.size(); ++i) {
    EXPECT_EQ(place.nodes[i].facts.kernel, "of rank " + std::to_string(i));
  }
}

// All ranks of the tests run on this machine.
TEST(LookAround, FindsThisHostAndTellsEverybodyWhetherItIsCrowded) {
  const Surroundings surroundings = look_around("auto", MPI_COMM_WORLD);
  int direct = surroundings.how == Waiting::direct ? 1 : 0;
  world().waiter.blocking([&] { MPI_Bcast(&direct, 1, MPI_INT, 0, MPI_COMM_WORLD); });
  EXPECT_EQ(surroundings.how == Waiting::direct, direct == 1);
  if (world().rank != 0) return;
  const Place& place = surroundings.place;
  ASSERT_EQ(place.nodes.size(), 1u);
  EXPECT_GE(place.cores(), own_cores());
  EXPECT_EQ(place.crowded(), direct == 0);
  EXPECT_EQ(place.nodes[0].facts.kernel, host_facts().kernel);
  EXPECT_EQ(place.mpi.substr(0, surroundings.library.size()), surroundings.library);
}

TEST(LookAround, TellsEverybodyWhoSharesANode) {
  const std::string node = std::to_string(world().rank % 2);
  setenv("REGROUP_PRETENDED_NODE", node.c_str(), 1);
  const Surroundings surroundings = look_around("auto", MPI_COMM_WORLD);
  unsetenv("REGROUP_PRETENDED_NODE");
  EXPECT_EQ(surroundings.nodes.nodes(), std::min(2, world().ranks));
  for (int rank = 0; rank < world().ranks; ++rank) {
    EXPECT_EQ(surroundings.nodes.of(rank), rank % 2);
  }
}

/// Returns the host of this rank if a launcher alternates between two hosts.
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
}  // namespace regroup::surroundings_test
