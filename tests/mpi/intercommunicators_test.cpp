// SPDX-License-Identifier: BSD-3-Clause
//
// What MPI's constructors make of a communicator between two groups (MPI 4.1, "Communicator
// Constructors": the figures on creating and splitting such a communicator, and the example of
// clients and servers): the result is between two groups, too, or nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "communicators/available.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

using Ranks = std::vector<int>;  // of the world

Ranks ranks_of(MPI_Comm comm, int (*find)(MPI_Comm, MPI_Group*)) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  find(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const GroupHandle group_owner(group);
  const GroupHandle all_owner(all);
  int size = 0;
  MPI_Group_size(group, &size);
  Ranks places(static_cast<std::size_t>(size));
  for (int place = 0; place < size; ++place) places[static_cast<std::size_t>(place)] = place;
  Ranks ranks(places.size());
  MPI_Group_translate_ranks(group, size, places.data(), all, ranks.data());
  return ranks;
}

/// Checks that `comm` is between `own` and `other`, in that order, and that every member gets a
/// number of each one on the other side.
void expect_between(MPI_Comm comm, const Ranks& own, const Ranks& other) {
  ASSERT_NE(comm, MPI_COMM_NULL);
  int between = 0;
  MPI_Comm_test_inter(comm, &between);
  EXPECT_TRUE(between);
  EXPECT_EQ(ranks_of(comm, MPI_Comm_group), own);
  EXPECT_EQ(ranks_of(comm, MPI_Comm_remote_group), other);
  Ranks came(other.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&world().rank, 1, MPI_INT, came.data(), 1, MPI_INT, comm, &request);
  complete(request);
  EXPECT_EQ(came, other);
}

/// A communicator between the first half of the ranks, the left, and the others, the right.
class Between : public testing::Test {
 protected:
  void SetUp() override {
    if (world().ranks < 2) GTEST_SKIP() << "one rank has no other side";
    MPI_Comm half = MPI_COMM_NULL;
    world().waiter.blocking(
        [&] { MPI_Comm_split(MPI_COMM_WORLD, is_left() ? 0 : 1, world().rank, &half); });
    side_ = CommHandle(half, count_);
    comm_ = made([&](MPI_Comm* comm) {
      MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_left() ? lefts() : 0, 5, comm);
    });
  }

  static int lefts() { return (world().ranks + 1) / 2; }
  static bool is_left() { return world().rank < lefts(); }
  static bool has(const Ranks& ranks) {
    return std::ranges::find(ranks, world().rank) != ranks.end();
  }

  /// The ranks of the left or of the right for which `fits` holds.
  static Ranks side(
      bool left, const std::function<bool(int)>& fits = [](int) { return true; }) {
    Ranks ranks;
    for (int rank = left ? 0 : lefts(); rank < (left ? lefts() : world().ranks); ++rank) {
      if (fits(rank)) ranks.push_back(rank);
    }
    return ranks;
  }

  CommHandle made(const std::function<void(MPI_Comm*)>& make) {
    MPI_Comm comm = MPI_COMM_NULL;
    world().waiter.blocking([&] { make(&comm); });
    return CommHandle(comm, count_);
  }

  /// MPI_Comm_create, each side naming of its own `left` or `right`, which are ranks of the world.
  CommHandle created(const Ranks& left, const Ranks& right) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    const GroupHandle owner(all);
    const Ranks& own = is_left() ? left : right;
    MPI_Group part = MPI_GROUP_NULL;
    MPI_Group_incl(all, static_cast<int>(own.size()), own.data(), &part);
    const GroupHandle part_owner(part);
    return made([&](MPI_Comm* comm) { MPI_Comm_create(comm_.get(), part, comm); });
  }

  CommHandle split(int colour, int key) {
    return made([&](MPI_Comm* comm) { MPI_Comm_split(comm_.get(), colour, key, comm); });
  }

  void expect_made_of(const CommHandle& made, const Ranks& left, const Ranks& right) {
    if (!has(left) && !has(right)) {
      EXPECT_FALSE(made);
    } else {
      expect_between(made.get(), is_left() ? left : right, is_left() ? right : left);
    }
  }

  CommunicatorCount count_;
  CommHandle side_;
  CommHandle comm_;
};

TEST_F(Between, IsBetweenTheTwoHalves) { expect_made_of(comm_, side(true), side(false)); }

TEST_F(Between, CreateTakesPartsOfBothSidesInTheOrderInWhichTheyAreNamed) {
  Ranks left = side(true, [](int rank) { return rank % 2 == 0; });
  Ranks right = side(false, [](int rank) { return rank != lefts() || world().ranks < 4; });
#ifndef OPEN_MPI  // 4.1 numbers the remote group upwards, whatever the order of the names
  std::ranges::reverse(left);
  std::ranges::reverse(right);
#endif
  expect_made_of(created(left, right), left, right);
}

TEST_F(Between, CreateJoinsTheFirstOfTheLeftWithTheWholeRight) {
  expect_made_of(created({0}, side(false)), {0}, side(false));
}

TEST_F(Between, CreateMakesNothingWhereASideIsEmpty) {
  EXPECT_FALSE(created({}, side(false)));
  EXPECT_FALSE(created(side(true), {}));
  EXPECT_FALSE(created({}, {}));
}

TEST_F(Between, SplitJoinsThoseOfBothSidesThatHaveOneColour) {
  // Keys put both sides in descending order.
  const CommHandle part = split(world().rank % 2, -world().rank);
  const auto alike = [](int rank) { return rank % 2 == world().rank % 2; };
  Ranks own = side(is_left(), alike);
  Ranks other = side(!is_left(), alike);
  std::ranges::reverse(own);
  std::ranges::reverse(other);
  if (other.empty()) {
    EXPECT_FALSE(part);
  } else {
    expect_between(part.get(), own, other);
  }
}

TEST_F(Between, SplitMakesNothingOfColoursThatOneSideHasAlone) {
  EXPECT_FALSE(split(is_left() ? 3 : 4, 0));
  const CommHandle part = split(world().rank == 0 ? 5 : is_left() ? 6 : 5, 0);
  expect_made_of(part, {0}, side(false));
}

TEST_F(Between, SplitLeavesOutThoseWithoutAColour) {
  const bool last = world().rank == world().ranks - 1;
  const CommHandle part = split(last ? MPI_UNDEFINED : 0, 0);
  const Ranks right = side(false, [](int rank) { return rank != world().ranks - 1; });
  if (right.empty()) {
    EXPECT_FALSE(part);
  } else {
    expect_made_of(part, side(true), right);
  }
}

TEST_F(Between, SplitBreaksTiesOfKeysByTheOrderOfEachSide) {
  expect_made_of(split(0, 7), side(true), side(false));
}

TEST_F(Between, SplitGivesEachServerItsClients) {
  // Servers on the right have their own rank as colour, clients on the left choose one.
  const int servers = world().ranks - lefts();
  const auto server_of = [&](int client) { return client % servers; };
  const int colour = is_left() ? server_of(world().rank) : world().rank - lefts();
  const CommHandle pool = split(colour, 0);
  const Ranks clients = side(true, [&](int rank) { return server_of(rank) == colour; });
  ASSERT_FALSE(clients.empty());  // the left is no smaller than the right
  expect_made_of(pool, clients, {lefts() + colour});
}

TEST_F(Between, ACopyIsBetweenTheSameSidesAndApartFromIt) {
  const CommHandle copy = made([&](MPI_Comm* comm) { MPI_Comm_dup(comm_.get(), comm); });
  int alike = MPI_UNEQUAL;
  MPI_Comm_compare(comm_.get(), copy.get(), &alike);
  EXPECT_EQ(alike, MPI_CONGRUENT);
  expect_made_of(copy, side(true), side(false));
  const CommHandle hinted =
      made([&](MPI_Comm* comm) { MPI_Comm_dup_with_info(comm_.get(), MPI_INFO_NULL, comm); });
  expect_made_of(hinted, side(true), side(false));
}

TEST_F(Between, ANonblockingCopyIsBetweenTheSameSides) {
  if (!available("idup")) GTEST_SKIP() << "the MPI library has none";
#ifdef OPEN_MPI  // of several at a time 4.1 may never end one
  constexpr std::size_t at_a_time = 1;
#else
  constexpr std::size_t at_a_time = 4;
#endif
  std::vector<MPI_Comm> comms(at_a_time, MPI_COMM_NULL);
  std::vector<MPI_Request> requests(comms.size());
  for (std::size_t i = 0; i < comms.size(); ++i) {
    MPI_Comm_idup(comm_.get(), &comms[i], &requests[i]);
  }
  for (const MPI_Request request : requests) complete(request);
  for (const MPI_Comm comm : comms) {
    expect_made_of(CommHandle(comm, count_), side(true), side(false));
  }
}

}  // namespace
}  // namespace regroup
