// SPDX-License-Identifier: BSD-3-Clause
//
// What every communicator strategy must do, whatever its source: tested over each row of the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "communicators/make.hpp"
#include "communicators/members.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

constexpr int tag = 11;

using Members = std::vector<int>;

Members contiguous(int first, int size) {
  Members members(static_cast<std::size_t>(size));
  std::iota(members.begin(), members.end(), first);
  return members;
}

Members strided(int first, int stride) {
  Members members;
  for (int rank = first; rank < world().ranks; rank += stride) members.push_back(rank);
  return members;
}

Members reversed(Members members) {
  std::ranges::reverse(members);
  return members;
}

bool joins(const Members& members) {
  return std::ranges::find(members, world().rank) != members.end();
}

/// The ranks of the world that `comm` really holds, in its order.
Members content(const GroupComm& comm) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(comm.comm(), &own);
  const GroupHandle all_owner(all);
  const GroupHandle own_owner(own);
  Members places(static_cast<std::size_t>(comm.size()));
  for (int member = 0; member < comm.size(); ++member) {
    places[static_cast<std::size_t>(member)] = comm.translate(member);
  }
  Members ranks(places.size());
  MPI_Group_translate_ranks(own, comm.size(), places.data(), all, ranks.data());
  return ranks;
}

class EveryStrategy : public testing::TestWithParam<std::string> {
 protected:
  bool parent_collective() const {
    return find_entry(strategies, GetParam())->caller == Caller::parent;
  }

  /// Makes the communicator of `members`; called by all ranks, it passes on the call to those that
  /// must enter it.
  GroupComm form(const Members& members) {
    GroupComm comm;
    if (joins(members)) {
      world().waiter.blocking([&] {
        comm = maker(GetParam())({MPI_COMM_WORLD, count_}, members, tag);
      });
    } else if (parent_collective()) {
      world().waiter.blocking([&] { comm = maker(GetParam())({MPI_COMM_WORLD, count_}, {}, tag); });
    }
    return comm;
  }

  /// Forms `members` and checks that exactly they are in it, in their order, and that a message
  /// goes round.
  void expect_formed(const Members& members) {
    const GroupComm comm = form(members);
    EXPECT_EQ(static_cast<bool>(comm), joins(members));
    if (comm) {
      EXPECT_EQ(comm.size(), static_cast<int>(members.size()));
      EXPECT_EQ(comm.rank(), place_among(MPI_COMM_WORLD, members));
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
    EXPECT_EQ(came, members[static_cast<std::size_t>(before)]);
  }

  CommunicatorCount count_;
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
  Members members = contiguous(0, world().ranks);
  std::ranges::rotate(members, members.begin() + world().ranks / 2);
  expect_formed(members);
}

TEST_P(EveryStrategy, FormsDisjointGroupsAtOnce) {
  for (const int size : {1, 2, 3, 4}) {
    SCOPED_TRACE(size);
    const int first = world().rank / size * size;
    const Members members = contiguous(first, std::min(size, world().ranks - first));
    const GroupComm comm = [&] {
      GroupComm made;
      world().waiter.blocking([&] {
        made = maker(GetParam())({MPI_COMM_WORLD, count_}, members, tag);
      });
      return made;
    }();
    EXPECT_EQ(content(comm), members);
    pass_round(comm, members);
  }
}

TEST_P(EveryStrategy, GivesThoseThatDoNotJoinNothing) {
  const GroupComm comm = form({world().ranks - 1});
  if (world().rank == world().ranks - 1) {
    EXPECT_EQ(comm.size(), 1);
  } else {
    EXPECT_FALSE(comm);
    EXPECT_EQ(count_.alive_max, 0);
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

TEST_P(EveryStrategy, TellsCommunicatorsApart) {
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
    GroupComm comm;
    world().waiter.blocking([&] { comm = maker(GetParam())({MPI_COMM_WORLD, count_}, pair, tag); });
    if (!comm) ++empty;
  }
  EXPECT_EQ(empty, 0);
  EXPECT_EQ(count_.alive, 0);
  EXPECT_LE(count_.alive_max, 3);
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies) names.emplace_back(strategy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy, testing::ValuesIn(strategy_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace regroup
