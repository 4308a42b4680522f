// SPDX-License-Identifier: BSD-3-Clause
//
// Cases of MPI's constructors that have rules of their own (MPI 4.1, "Communicator Constructors"):
// empty groups, splits with equal keys, process sets, and the machine cut into ever smaller parts.
// That an unknown process set is an error is left out: MPICH 4.0 then aborts whatever the session's
// error handler says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "communicators/available.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

class ConstructorCases : public testing::Test {
 protected:
  CommHandle made(const std::function<void(MPI_Comm*)>& make) {
    MPI_Comm comm = MPI_COMM_NULL;
    world().waiter.blocking([&] { make(&comm); });
    return CommHandle(comm, count_);
  }

  CommunicatorCount count_;
};

TEST_F(ConstructorCases, CreateWithAnEmptyGroupMakesNothing) {
  EXPECT_FALSE(
      made([](MPI_Comm* comm) { MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, comm); }));
}

TEST_F(ConstructorCases, CreateMixesEmptyGroupsWithOthers) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const GroupHandle owner(all);
  MPI_Group self = MPI_GROUP_NULL;
  MPI_Group_incl(all, 1, &world().rank, &self);
  const GroupHandle self_owner(self);
  const bool odd = world().rank % 2 == 1;
  const CommHandle comm = made(
      [&](MPI_Comm* made) { MPI_Comm_create(MPI_COMM_WORLD, odd ? MPI_GROUP_EMPTY : self, made); });
  ASSERT_EQ(static_cast<bool>(comm), !odd);
  if (comm) {
    EXPECT_EQ(ranks_of(comm.get()), std::vector{world().rank});
  }
}

TEST_F(ConstructorCases, CreateGroupWithAnEmptyGroupIsLocalAndMakesNothing) {
  if (world().rank == 0) {  // nobody else calls it
    EXPECT_FALSE(made(
        [](MPI_Comm* comm) { MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 3, comm); }));
  }
  barrier();
}

TEST_F(ConstructorCases, SplitBreaksTiesOfKeysByTheOrderOfTheParent) {
  // The parent is the world, backwards.
  const CommHandle parent =
      made([](MPI_Comm* comm) { MPI_Comm_split(MPI_COMM_WORLD, 0, -world().rank, comm); });
  const CommHandle tied =
      made([&](MPI_Comm* comm) { MPI_Comm_split(parent.get(), world().rank % 2, 4, comm); });
  std::vector<int> expected;
  for (int rank = world().ranks - 1; rank >= 0; --rank) {
    if (rank % 2 == world().rank % 2) expected.push_back(rank);
  }
  EXPECT_EQ(ranks_of(tied.get()), expected);
  // Two values of the key, by turns: within each the order of the parent.
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
  for (int rank = 0; rank < world().ranks;
       ++rank) {  // one after the other, so that nobody joins in
    if (rank == world().rank) {
      const CommHandle comm = from_set("mpi://SELF");
      EXPECT_EQ(ranks_of(comm.get()), std::vector{world().rank});
    }
    barrier();
  }
}

/// Cuts the world, and what comes of it, until nothing smaller comes.
class Parts : public ConstructorCases {
 protected:
  void SetUp() override {
    if (!available("split_type_hw_unguided")) GTEST_SKIP() << "the MPI library has none";
  }

  /// What the library says that `info` is a part of; empty where it does not say.
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
      // The same word on all members.
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

}  // namespace
}  // namespace regroup
