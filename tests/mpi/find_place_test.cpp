// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engines/mpi/surroundings.hpp"
#include "kernel/places/host.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

/// The place of ranks that are on so many hosts in turns, all with one name and two processors, and
/// how many ranks looked for facts.
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

}  // namespace
}  // namespace regroup
