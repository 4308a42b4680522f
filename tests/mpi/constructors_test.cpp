// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/strategy.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::constructors_test {
namespace {

// Special cases of MPI's constructors (MPI 4.1, "Communicator Constructors"): empty groups, splits
// with equal keys, process sets, and repeated splits of the machine into smaller parts. Unknown
// process sets are not tested: MPICH 4.0 aborts whatever the session's error handler.

using ConstructorCases = MadeByMpi;

TEST_F(ConstructorCases, CreateGroupWithAnEmptyGroupIsLocalAndMakesNothing) {
  if (world().rank == 0) {  // no other rank calls it
    EXPECT_FALSE(made(
        [](MPI_Comm* comm) { MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 3, comm); }));
  }
  barrier();
}

TEST_F(ConstructorCases, SplitBreaksTiesOfKeysByTheOrderOfTheParent) {
  // The parent has the ranks of the world in reverse order.
  const CommHandle parent =
      made([](MPI_Comm* comm) { MPI_Comm_split(MPI_COMM_WORLD, 0, -world().rank, comm); });
  const CommHandle tied =
      made([&](MPI_Comm* comm) { MPI_Comm_split(parent.get(), world().rank % 2, 4, comm); });
  std::vector<int> expected;
  for (int rank = world().ranks - 1; rank >= 0; --rank) {
    if (rank % 2 == world().rank % 2) expected.push_back(rank);
  }
  EXPECT_EQ(ranks_of(tied.get()), expected);
  // With two alternating keys, ranks with the same key keep the order of the parent.
  const CommHandle pairs =
      made([&](MPI_Comm* comm) { MPI_Comm_split(parent.get(), 0, world().rank % 2, comm); });
  std::vector<int> even_then_odd = ranks_of(parent.get());
  std::ranges::stable_sort(even_then_odd, {}, [](int rank) { return rank % 2; });
  EXPECT_EQ(ranks_of(pairs.get()), even_then_odd);
}

#if MPI_VERSION >= 4

class Psets : public ConstructorCases {
 protected:
  void SetUp() override {
    if (!available("create_from_group")) GTEST_SKIP() << "the MPI library has no sessions";
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session_);
  }
  void TearDown() override {
    if (session_ != MPI_SESSION_NULL) MPI_Session_finalize(&session_);
  }

  CommHandle from_set(const char* name) {
    MPI_Group group = MPI_GROUP_NULL;
    EXPECT_EQ(MPI_Group_from_session_pset(session_, name, &group), MPI_SUCCESS);
    const GroupHandle owner(group);
    return made([&](MPI_Comm* comm) {
      MPI_Comm_create_from_group(group, "org.regroup.tests", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                 comm);
    });
  }

  MPI_Session session_ = MPI_SESSION_NULL;
};

TEST_F(Psets, ListTheWorldAndTheProcessItself) {
  int number = 0;
  MPI_Session_get_num_psets(session_, MPI_INFO_NULL, &number);
  std::vector<std::string> names;
  for (int set = 0; set < number; ++set) {
    int length = 0;
    MPI_Session_get_nth_pset(session_, MPI_INFO_NULL, set, &length, nullptr);
    std::string name(static_cast<std::size_t>(length), '\0');
    MPI_Session_get_nth_pset(session_, MPI_INFO_NULL, set, &length, name.data());
    names.emplace_back(name.c_str());
  }
  EXPECT_NE(std::ranges::find(names, "mpi://WORLD"), names.end());
  EXPECT_NE(std::ranges::find(names, "mpi://SELF"), names.end());
}

TEST_F(Psets, OfTheWorldHaveEverybody) {
  const CommHandle comm = from_set("mpi://WORLD");
  std::vector<int> everybody;
  for (int rank = 0; rank < world().ranks; ++rank) everybody.push_back(rank);
  EXPECT_EQ(ranks_of(comm.get()), everybody);
}

TEST_F(Psets, OfTheProcessItselfHaveNobodyElseAndAskNobody) {
  for (int rank = 0; rank < world().ranks; ++rank) {  // one rank at a time
    if (rank == world().rank) {
      const CommHandle comm = from_set("mpi://SELF");
      EXPECT_EQ(ranks_of(comm.get()), std::vector{world().rank});
    }
    barrier();
  }
}

/// Splits the world, and then each part, until there is no smaller part.
class Parts : public ConstructorCases {
 protected:
  void SetUp() override {
    if (!available("split_type_hw_unguided")) GTEST_SKIP() << "the MPI library has none";
  }

  /// Returns the type of part that the library reports in `info`; empty if it reports none.
  static std::string kind(MPI_Info info) {
    std::array<char, 64> value{};
    int length = static_cast<int>(value.size());
    int found = 0;
    MPI_Info_get_string(info, "mpi_hw_resource_type", &length, value.data(), &found);
    return found != 0 ? value.data() : "";
  }
};

TEST_F(Parts, GetSmallerUntilThereAreNoneAndAllMembersAreToldOfWhat) {
  CommHandle part = made([](MPI_Comm* comm) { MPI_Comm_dup(MPI_COMM_WORLD, comm); });
  for (int level = 0; part; ++level) {
    SCOPED_TRACE(level);
    const std::vector<int> before = ranks_of(part.get());
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    CommHandle next = made([&](MPI_Comm* comm) {
      MPI_Comm_split_type(part.get(), MPI_COMM_TYPE_HW_UNGUIDED, 0, info, comm);
    });
    if (next) {
      const std::vector<int> ranks = ranks_of(next.get());
      EXPECT_LT(ranks.size(), before.size());
      EXPECT_TRUE(std::ranges::includes(before, ranks));
      EXPECT_TRUE(std::ranges::is_sorted(ranks));
      // All members must report the same type.
      std::array<char, 64> own{};
      std::strncpy(own.data(), kind(info).c_str(), own.size() - 1);
      std::array<char, 64> first = own;
      world().waiter.blocking([&] {
        MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, next.get());
      });
      EXPECT_STREQ(own.data(), first.data());
      if (own[0] != '\0') RecordProperty("part_" + std::to_string(level), own.data());
    }
    MPI_Info_free(&info);
    EXPECT_LT(level, 64);
    part = std::move(next);
  }
}

TEST_F(Parts, GuidedByNoWordAreNothing) {
  EXPECT_FALSE(made([](MPI_Comm* comm) {
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, comm);
  }));
}

#else

TEST(Psets, AreNotThere) { GTEST_SKIP() << "the MPI library has no sessions"; }
TEST(Parts, AreNotThere) { GTEST_SKIP() << "the MPI library cuts the machine in no way of MPI 4"; }

#endif

// MPI's constructors for intercommunicators (MPI 4.1, "Communicator Constructors": the figures on
// the creation and splitting of intercommunicators, and the client-server example): the result is
// an intercommunicator or MPI_COMM_NULL.

using Ranks = std::vector<int>;  // ranks of the world

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

/// Checks that `comm` is an intercommunicator of the groups `own` and `other`, in their order, and
/// that every member receives a number from each member of the other group.
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

/// An intercommunicator of the first half of the ranks (left) and the other ranks (right).
class Between : public MadeByMpi {
 protected:
  void SetUp() override {
    if (world().ranks < 2) GTEST_SKIP() << "one rank has no other side";
    side_ = made([](MPI_Comm* comm) {
      MPI_Comm_split(MPI_COMM_WORLD, is_left() ? 0 : 1, world().rank, comm);
    });
    comm_ = made([&](MPI_Comm* comm) {
      MPI_Intercomm_create(side_.get(), 0, MPI_COMM_WORLD, is_left() ? lefts() : 0, 5, comm);
    });
  }

  static int lefts() { return (world().ranks + 1) / 2; }
  static bool is_left() { return world().rank < lefts(); }
  static bool has(const Ranks& ranks) {
    return std::ranges::find(ranks, world().rank) != ranks.end();
  }

  /// Returns the ranks of the left or right group for which `fits` holds.
  static Ranks side(
      bool left, const std::function<bool(int)>& fits = [](int) { return true; }) {
    Ranks ranks;
    for (int rank = left ? 0 : lefts(); rank < (left ? lefts() : world().ranks); ++rank) {
      if (fits(rank)) ranks.push_back(rank);
    }
    return ranks;
  }

  /// Calls MPI_Comm_create; each side passes the group of its own world ranks, `left` or `right`.
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

  CommHandle side_;
  CommHandle comm_;
};

TEST_F(Between, IsBetweenTheTwoHalves) { expect_made_of(comm_, side(true), side(false)); }

TEST_F(Between, CreateTakesPartsOfBothSidesInTheOrderInWhichTheyAreNamed) {
  Ranks left = side(true, [](int rank) { return rank % 2 == 0; });
  Ranks right = side(false, [](int rank) { return rank != lefts() || world().ranks < 4; });
#ifndef OPEN_MPI  // 4.1 sorts the remote group in ascending order, whatever the given order
  std::ranges::reverse(left);
  std::ranges::reverse(right);
#endif
  expect_made_of(created(left, right), left, right);
}

TEST_F(Between, CreateTakesAnyPartsOfBothSides) {
  expect_made_of(created({0}, side(false)), {0}, side(false));
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

TEST_F(Between, SplitGivesEachServerItsClients) {
  // The colour of a server (right) is its rank in its group; clients (left) choose a server.
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
#ifdef OPEN_MPI  // with several at a time, 4.1 may never complete one
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
}  // namespace regroup::constructors_test
