// SPDX-License-Identifier: BSD-3-Clause
//
// What every communicator strategy must do, whatever its source: tested over each row of the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "communicators/available.hpp"
#include "communicators/make.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

constexpr int tag = 11;

Members contiguous(int first, int size) { return Members::range(first, size); }

Members strided(int first, int stride) {
  return Members::range(first, (world().ranks - 1 - first) / stride + 1, stride);
}

std::vector<int> as_list(const Members& members) {
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  return ranks;
}

Members reversed(const Members& members) {
  std::vector<int> ranks = as_list(members);
  std::ranges::reverse(ranks);
  return Members::list(ranks);
}

bool joins(const Members& members) { return members.place_of(world().rank) >= 0; }

/// The ranks of the world that `comm` really holds, in its order.
Members content(const GroupComm& comm) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(comm.comm(), &own);
  const GroupHandle all_owner(all);
  const GroupHandle own_owner(own);
  std::vector<int> places;
  for (int member = 0; member < comm.size(); ++member) places.push_back(comm.translate(member));
  std::vector<int> ranks(places.size());
  MPI_Group_translate_ranks(own, comm.size(), places.data(), all, ranks.data());
  return Members::list(ranks);
}

/// A strategy, and a parent of its own to count what it leaves alive.
class StrategyTest : public testing::TestWithParam<std::string> {
 protected:
  const Strategy& strategy() const { return *find_entry(strategies, GetParam()); }
  bool parent_collective() const { return strategy().caller == Caller::parent; }
  bool forms(const Members& members) const {
    return strategy().forms == Forms::any || members.is_range();
  }
  const CommunicatorCount& count() { return parent_.communicators(); }

  GroupComm make_one(const Members& members) {
    GroupComm comm;
    world().waiter.blocking([&] { comm = maker(GetParam())(parent_, members, tag); });
    return comm;
  }

  /// Makes the communicator of `members`; called by all ranks, it passes on the call to those that
  /// must enter it.
  GroupComm form(const Members& members) {
    if (joins(members)) return make_one(members);
    return parent_collective() ? make_one({}) : GroupComm();
  }

  Parent parent_{MPI_COMM_WORLD, world().waiter};
};

/// Those that form the groups they are asked for.
class EveryStrategy : public StrategyTest {
 protected:
  /// Forms `members` and checks that exactly they are in it, in their order, and that a message
  /// goes round.
  void expect_formed(const Members& members) {
    if (!forms(members)) {
      if (joins(members)) {
        EXPECT_THROW(form(members), std::invalid_argument);
      }
      return;
    }
    const GroupComm comm = form(members);
    EXPECT_EQ(static_cast<bool>(comm), joins(members));
    if (comm) {
      EXPECT_EQ(comm.size(), members.size());
      EXPECT_EQ(comm.rank(), members.place_of(world().rank));
      EXPECT_EQ(content(comm), members);
      pass_round(comm, members);
    }
  }

  /// Everybody sends its rank in the world to the next member.
  static void pass_round(const GroupComm& comm, const Members& members) {
    const int next = comm.translate((comm.rank() + 1) % comm.size());
    const int before = (comm.rank() + comm.size() - 1) % comm.size();
    int came = -1;
    MPI_Request requests[2];
    MPI_Irecv(&came, 1, MPI_INT, comm.translate(before), tag, comm.comm(), &requests[0]);
    MPI_Isend(&world().rank, 1, MPI_INT, next, tag, comm.comm(), &requests[1]);
    for (MPI_Request& request : requests) world().waiter.wait(request);
    EXPECT_EQ(came, members[before]);
  }
};

TEST_P(EveryStrategy, OrdersContiguousMembersOfEverySizeAsTheyAreGiven) {
  for (int size = 1; size <= std::min(17, world().ranks); ++size) {
    SCOPED_TRACE(size);
    expect_formed(contiguous(0, size));
    expect_formed(contiguous(world().ranks - size, size));
  }
}

TEST_P(EveryStrategy, OrdersReversedMembersOfEverySizeAsTheyAreGiven) {
  for (int size = 1; size <= std::min(17, world().ranks); ++size) {
    SCOPED_TRACE(size);
    expect_formed(reversed(contiguous(world().ranks - size, size)));
  }
}

TEST_P(EveryStrategy, OrdersStridedMembersAsTheyAreGiven) {
  for (const int stride : {2, 3}) {
    expect_formed(strided(0, stride));
    expect_formed(reversed(strided(world().ranks > 1 ? 1 : 0, stride)));
  }
}

TEST_P(EveryStrategy, OrdersRotatedMembersAsTheyAreGiven) {
  std::vector<int> ranks = as_list(contiguous(0, world().ranks));
  std::ranges::rotate(ranks, ranks.begin() + world().ranks / 2);
  expect_formed(Members::list(ranks));
}

TEST_P(EveryStrategy, FormsDisjointGroupsAtOnce) {
  for (const int size : {1, 2, 3, 4}) {
    SCOPED_TRACE(size);
    const int first = world().rank / size * size;
    const Members members = contiguous(first, std::min(size, world().ranks - first));
    const GroupComm comm = make_one(members);
    EXPECT_EQ(content(comm), members);
    pass_round(comm, members);
  }
}

TEST_P(EveryStrategy, GivesThoseThatDoNotJoinNothing) {
  const GroupComm comm = form(contiguous(world().ranks - 1, 1));
  if (world().rank == world().ranks - 1) {
    EXPECT_EQ(comm.size(), 1);
  } else {
    EXPECT_FALSE(comm);
    EXPECT_EQ(count().alive_max, 0);
  }
}

TEST_P(EveryStrategy, LeavesTheOthersAloneWhereOnlyMembersNeedToCall) {
  if (parent_collective()) return;
  // One group after the other, each while all other ranks sit in a barrier.
  for (int first = 0; first < world().ranks; first += 3) {
    const Members members = contiguous(first, std::min(3, world().ranks - first));
    if (joins(members)) {
      const GroupComm comm = form(members);
      EXPECT_EQ(content(comm), members);
    }
    barrier();
  }
}

/// Those that form a communicator of MPI, with a context of its own.
class EveryContext : public EveryStrategy {};

TEST_P(EveryContext, TellsCommunicatorsOfTheSameMembersApart) {
  const Members all = contiguous(0, world().ranks);
  const GroupComm one = form(all);
  const GroupComm other = form(all);
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  const int first = 1;
  const int second = 2;
  int in_one = 0;
  int in_other = 0;
  MPI_Request requests[4];
  MPI_Irecv(&in_other, 1, MPI_INT, other.translate(before), tag, other.comm(), &requests[0]);
  MPI_Irecv(&in_one, 1, MPI_INT, one.translate(before), tag, one.comm(), &requests[1]);
  MPI_Isend(&first, 1, MPI_INT, one.translate(next), tag, one.comm(), &requests[2]);
  MPI_Isend(&second, 1, MPI_INT, other.translate(next), tag, other.comm(), &requests[3]);
  for (MPI_Request& request : requests) world().waiter.wait(request);
  EXPECT_EQ(in_one, 1);
  EXPECT_EQ(in_other, 2);
}

TEST_P(EveryStrategy, LeavesNoCommunicatorBehind) {
  // More than MPICH can hold at once (2,046).
  const int times = world().ranks <= 5 ? 2500 : 100;
  const int first = world().rank / 2 * 2;
  const Members pair = contiguous(first, std::min(2, world().ranks - first));
  int empty = 0;
  for (int i = 0; i < times; ++i) {
    if (!make_one(pair)) ++empty;
  }
  EXPECT_EQ(empty, 0);
  EXPECT_EQ(count().alive, 0);
  EXPECT_LE(count().alive_max, 3);
}

/// Those that copy their parent.
class EveryCopy : public StrategyTest {};

TEST_P(EveryCopy, HasTheRanksOfItsParent) {
  const Members all = contiguous(0, world().ranks);
  const GroupComm comm = make_one(all);
  EXPECT_EQ(content(comm), all);
  int alike = MPI_UNEQUAL;
  MPI_Comm_compare(comm.comm(), MPI_COMM_WORLD, &alike);
  EXPECT_EQ(alike, MPI_CONGRUENT);
}

TEST_P(EveryCopy, LeavesNoCommunicatorBehind) {
  for (int i = 0; i < 100; ++i) make_one(contiguous(0, world().ranks));
  EXPECT_EQ(count().alive, 0);
  EXPECT_EQ(count().alive_max, 1);
}

/// Those where the machine says who joins.
class EveryShare : public StrategyTest {};

TEST_P(EveryShare, HoldsTheCallerAmongRanksInTheOrderOfTheParent) {
  const GroupComm comm = make_one(contiguous(0, world().ranks));
  if (!comm) return;  // the machine has no such part
  const std::vector<int> ranks = as_list(content(comm));
  EXPECT_TRUE(std::ranges::is_sorted(ranks));
  EXPECT_EQ(ranks[static_cast<std::size_t>(comm.rank())], world().rank);
}

TEST_P(EveryShare, LeavesNoCommunicatorBehind) {
  for (int i = 0; i < 100; ++i) make_one(contiguous(0, world().ranks));
  EXPECT_EQ(count().alive, 0);
}

TEST(Maker, RefusesStrategiesThatTheMpiLibraryLacks) {
  for (const std::string_view name : missing_strategies) {
    EXPECT_THROW(maker(name), std::invalid_argument) << name;
  }
}

std::vector<std::string> strategies_that(const std::function<bool(const Strategy&)>& fit) {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies) {
    if (available(strategy.name) && fit(strategy)) names.emplace_back(strategy.name);
  }
  return names;
}

bool has_a_context(const Strategy& strategy) {
  return strategy.serves_balancers() && !strategy.local;
}

const auto name_of = [](const auto& test) { return test.param; };
INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy,
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)), name_of);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryContext,
                         testing::ValuesIn(strategies_that(has_a_context)), name_of);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryCopy,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.forms == Forms::whole;
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryShare,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.forms == Forms::shared;
                         })),
                         name_of);

}  // namespace
}  // namespace regroup
