// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "regroup/communicator.hpp"
#include "tests/mpi/strategy_fixture.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::creation_test {
namespace {

// Requirements of the MPI standard on MPI_Comm_create, MPI_Comm_create_group and MPI_Comm_split
// (MPI 4.1, "Communicator Constructors"), on which our strategies rely.

class CreateEqualsSplit : public MadeByMpi {
 protected:
  CommHandle create(const Members& members) {
    const GroupHandle group = group_of(MPI_COMM_WORLD, members);
    return create(group.get());
  }
  CommHandle create(MPI_Group group) {
    return made([&](MPI_Comm* comm) { MPI_Comm_create(MPI_COMM_WORLD, group, comm); });
  }
  CommHandle create_group(const Members& members) {
    const GroupHandle group = group_of(MPI_COMM_WORLD, members);
    return made(
        [&](MPI_Comm* comm) { MPI_Comm_create_group(MPI_COMM_WORLD, group.get(), 3, comm); });
  }
  CommHandle split(int colour, int key) {
    return made([&](MPI_Comm* comm) { MPI_Comm_split(MPI_COMM_WORLD, colour, key, comm); });
  }

  /// Checks that the two are different communicators of the same processes in the same order, or
  /// that both are null.
  static void expect_congruent(const CommHandle& one, const CommHandle& other) {
    ASSERT_EQ(static_cast<bool>(one), static_cast<bool>(other));
    if (!one) return;
    int alike = MPI_UNEQUAL;
    MPI_Comm_compare(one.get(), other.get(), &alike);
    EXPECT_EQ(alike, MPI_CONGRUENT);
  }

  static int rank_in(const CommHandle& comm) {
    int place = -1;
    MPI_Comm_rank(comm.get(), &place);
    return place;
  }
  static int size_of(const CommHandle& comm) {
    int size = 0;
    MPI_Comm_size(comm.get(), &size);
    return size;
  }

  const int rank = world().rank;
  const int ranks = world().ranks;
};

TEST_F(CreateEqualsSplit, WithTheGroupAsColourAndThePlaceInItAsKey) {
  // The even ranks in descending order; the others join no communicator.
  std::vector<int> even;
  for (int member = 0; member < ranks; member += 2) even.insert(even.begin(), member);
  const Members members = Members::list(even);
  const int place = members.index_of(rank);
  const CommHandle split_off = split(place < 0 ? MPI_UNDEFINED : 7, place);
  expect_congruent(create(members), split_off);
  if (place >= 0) expect_congruent(create_group(members), split_off);
}

TEST_F(CreateEqualsSplit, AlsoForSeveralDisjointGroupsInOneCall) {
  for (const int groups : {2, 3, 4}) {
    SCOPED_TRACE(groups);
    const int mine = rank % groups;
    std::vector<int> ranks_of_mine;
    for (int member = mine; member < ranks; member += groups) ranks_of_mine.push_back(member);
    // Every second group is reversed.
    if (mine % 2 == 1) std::ranges::reverse(ranks_of_mine);
    const Members members = Members::list(ranks_of_mine);
    const CommHandle split_off = split(mine, members.index_of(rank));
    expect_congruent(create(members), split_off);
    expect_congruent(create_group(members), split_off);
  }
}

TEST_F(CreateEqualsSplit, AlsoWhereSomeRanksNameNoGroupOrOneWithoutThemselves) {
  const Members first = Members::range(0, (ranks + 1) / 2);
  const bool joins = first.index_of(rank) >= 0;
  const CommHandle split_off = split(joins ? 0 : MPI_UNDEFINED, rank);
  expect_congruent(create(first), split_off);
  expect_congruent(create(joins ? first : Members()), split_off);
}

TEST_F(CreateEqualsSplit, AnEmptyGroupOnAllRanksGivesNobodyACommunicator) {
  EXPECT_FALSE(create(MPI_GROUP_EMPTY));
  EXPECT_FALSE(create(Members()));
  EXPECT_FALSE(split(MPI_UNDEFINED, 0));
}

TEST_F(CreateEqualsSplit, AnEmptyGroupOnSomeRanksLeavesTheOthersTheirs) {
  const bool last = rank == ranks - 1;
  const CommHandle comm = create(last ? Members::range(rank, 1) : Members());
  EXPECT_EQ(static_cast<bool>(comm), last);
  if (last) {
    EXPECT_EQ(size_of(comm), 1);
  }
}

TEST_F(CreateEqualsSplit, KeysMayBeNegativeAndAsLargeAsAnIntAndNeedNotFollowOneAnother) {
  EXPECT_EQ(rank_in(split(0, -rank)), ranks - 1 - rank);
  EXPECT_EQ(rank_in(split(0, std::numeric_limits<int>::max() - rank)), ranks - 1 - rank);
  EXPECT_EQ(rank_in(split(0, std::numeric_limits<int>::min() + 1000 * rank)), rank);
  // Both extremes in one call: the even ranks come after the odd ones.
  const bool even = rank % 2 == 0;
  const int key = even ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
  const int odd_ranks = ranks / 2;
  EXPECT_EQ(rank_in(split(0, key)), even ? odd_ranks + rank / 2 : rank / 2);
}

TEST_F(CreateEqualsSplit, ColoursMayBeAnyNumberThatIsNotNegative) {
  const int colour = rank % 2 == 0 ? 0 : std::numeric_limits<int>::max();
  EXPECT_EQ(size_of(split(colour, 0)), rank % 2 == 0 ? (ranks + 1) / 2 : ranks / 2);
}

TEST_F(CreateEqualsSplit, AnUndefinedColourGivesNothingAndDisturbsNobody) {
  const bool first = rank == 0;
  const CommHandle comm = split(first ? MPI_UNDEFINED : 0, rank);
  EXPECT_EQ(static_cast<bool>(comm), !first);
  if (!first) {
    EXPECT_EQ(size_of(comm), ranks - 1);
    EXPECT_EQ(rank_in(comm), rank - 1);
  }
}

// Forming a communicator disturbs neither processes outside of it nor pending messages and
// operations on the parent, and messages on the new communicator are separate.

/// Lets a process block outside MPI until another process on this machine wakes it.
class Bed {
 public:
  Bed() {
    world().waiter.blocking([&] { MPI_Bcast(&test_, 1, MPI_INT, 0, MPI_COMM_WORLD); });
    const auto [address, length] = address_of(world().rank);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), length), 0);
    barrier();
  }
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;
  ~Bed() { close(socket_); }

  void sleep() const {
    char word = 0;
    EXPECT_EQ(recv(socket_, &word, 1, 0), 1);
  }
  void wake(int rank) const {
    const auto [address, length] = address_of(rank);
    EXPECT_EQ(sendto(socket_, "", 1, 0, reinterpret_cast<const sockaddr*>(&address), length), 1);
  }

 private:
  /// Returns an address in Linux's abstract namespace, which leaves no file behind.
  std::pair<sockaddr_un, socklen_t> address_of(int rank) const {
    const std::string name = "regroup-test-" + std::to_string(test_) + "-" + std::to_string(rank);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(name, address.sun_path + 1);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
  }

  int socket_ = socket(AF_UNIX, SOCK_DGRAM, 0);
  int test_ = getpid();
};

class EveryCreation : public StrategyTest {
 protected:
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
};

TEST_P(EveryCreation, LeavesMessagesOnTheParentThatAreUnderWayAlone) {
  // One send and one receive begin before the creation; both have the tag of the creation.
  if (leaders_talk_on_parent() || calls_create_group_of_open_mpi()) {
    GTEST_SKIP() << "its own messages on the parent have that tag";
  }
  const int early = 100 + world().rank;
  const int late = 200 + world().rank;
  int early_came = -1;
  int late_came = -1;
  const MPI_Request sent = send_to(next, early, tag, MPI_COMM_WORLD);
  barrier();
  int waits = 0;
  world().waiter.until([&] {
    MPI_Iprobe(before, tag, MPI_COMM_WORLD, &waits, MPI_STATUS_IGNORE);
    return waits != 0;
  });
  const GroupComm one = form(everybody());
  complete(receive_from(before, early_came, tag, MPI_COMM_WORLD));
  EXPECT_EQ(early_came, 100 + before);
  complete(sent);

  const MPI_Request received = receive_from(before, late_came, tag, MPI_COMM_WORLD);
  const GroupComm other = form(everybody());
  EXPECT_EQ(late_came, -1);
  barrier();
  complete(send_to(next, late, tag, MPI_COMM_WORLD));
  complete(received);
  EXPECT_EQ(late_came, 200 + before);
  EXPECT_EQ(static_cast<bool>(one), static_cast<bool>(other));
}

TEST_P(EveryCreation, LeavesALargeMessageOnTheParentAlone) {
  // The message is large enough for MPI's rendezvous protocol.
  const std::vector<int> out(1 << 18, world().rank);
  std::vector<int> in(out.size(), -1);
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(out.data(), 1 << 18, MPI_INT, next, tag + 1, MPI_COMM_WORLD, &sent);
  const GroupComm comm = form(everybody());
  MPI_Request received = MPI_REQUEST_NULL;
  MPI_Irecv(in.data(), 1 << 18, MPI_INT, before, tag + 1, MPI_COMM_WORLD, &received);
  complete(received);
  complete(sent);
  EXPECT_EQ(std::ranges::count(in, before), 1 << 18);
}

TEST_P(EveryCreation, LeavesNonblockingCollectivesOnTheParentAlone) {
  const int one = 1;
  int sum = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  const GroupComm comm = form(everybody());
  complete(request);
  EXPECT_EQ(sum, world().ranks);
}

class EveryGroupCreation : public EveryCreation {};

TEST_P(EveryGroupCreation, TakesPlaceWhileAllOthersAreBlockedOutsideMpi) {
  const Bed bed;
  for (int first = 0; first < world().ranks; first += 2) {
    const Members members = Members::range(first, std::min(2, world().ranks - first));
    if (!joins(members)) {
      bed.sleep();
    } else {
      const GroupComm comm = make_one(members);
      EXPECT_EQ(content(comm), members);
      EXPECT_EQ(pass_round(comm, comm.rank(), tag), (comm.rank() + 1) % comm.size());
      if (comm.rank() == 0) {
        for (int rank = 0; rank < world().ranks; ++rank) {
          if (members.index_of(rank) < 0) bed.wake(rank);
        }
      }
    }
    barrier();
  }
}

TEST_P(EveryGroupCreation, TakesPlaceWhileACollectiveOfTheParentWaitsForOneOutside) {
  const Members members = Members::range(1, world().ranks - 1);
  MPI_Request request = MPI_REQUEST_NULL;
  int formed = 0;
  if (joins(members)) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    const GroupComm comm = make_one(members);
    EXPECT_EQ(content(comm), members);
    if (comm.rank() == 0) complete(send_to(0, 1, tag, MPI_COMM_WORLD));
  } else {
    if (world().ranks > 1) complete(receive_from(1, formed, tag, MPI_COMM_WORLD));
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  }
  complete(request);
}

/// Strategies that create an MPI communicator with its own context.
class EveryNewContext : public EveryCreation {};

TEST_P(EveryNewContext, IsApartFromTheParents) {
  const GroupComm comm = make_one(everybody());
  if (comm.size() != world().ranks) GTEST_SKIP() << "the machine puts others together";
  // If both shared a context, the receives would match in the order of sending.
  const int on_parent = 1;
  const int on_child = 2;
  int from_parent = -1;
  int from_child = -1;
  const std::array requests{receive_from(before, from_child, tag, comm.comm()),
                            send_to(next, on_parent, tag, MPI_COMM_WORLD),
                            send_to(next, on_child, tag, comm.comm()),
                            receive_from(before, from_parent, tag, MPI_COMM_WORLD)};
  for (const MPI_Request request : requests) complete(request);
  EXPECT_EQ(from_child, on_child);
  EXPECT_EQ(from_parent, on_parent);
}

TEST_P(EveryNewContext, HasCollectivesApartFromTheParents) {
  const GroupComm comm = make_one(everybody());
  if (!comm) GTEST_SKIP() << "the machine has no such part";
  const int one = 1;
  const int hundred = 100;
  int in_parent = -1;
  int in_child = -1;
  std::array<MPI_Request, 2> requests{};
  const auto on_parent = [&] {
    MPI_Iallreduce(&one, &in_parent, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  };
  const auto on_child = [&] {
    MPI_Iallreduce(&hundred, &in_child, 1, MPI_INT, MPI_SUM, comm.comm(), &requests[1]);
  };
  if (world().rank % 2 == 0) {
    on_parent();
    on_child();
  } else {
    on_child();
    on_parent();
  }
  complete(requests[1]);
  complete(requests[0]);
  EXPECT_EQ(in_parent, world().ranks);
  EXPECT_EQ(in_child, 100 * comm.size());
}

TEST_P(EveryNewContext, LeavesAReceiveOfAnythingOnTheParentAlone) {
  if (leaders_talk_on_parent() || calls_create_group_of_open_mpi()) {
    GTEST_SKIP() << "its own messages are on the parent";
  }
  const int value = world().rank;
  int came = -1;
  const MPI_Request received = receive_from(MPI_ANY_SOURCE, came, MPI_ANY_TAG, MPI_COMM_WORLD);
  const GroupComm comm = make_one(everybody());
  EXPECT_EQ(came, -1);
  if (comm) {
    EXPECT_EQ(pass_round(comm, 1000, tag), 1000);
  }
  world().waiter.blocking([] { MPI_Barrier(MPI_COMM_WORLD); });
  complete(send_to(next, value, tag, MPI_COMM_WORLD));
  complete(received);
  EXPECT_EQ(came, before);
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryCreation,
                         testing::ValuesIn(strategies_that([](auto&) { return true; })),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryGroupCreation,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.caller == Caller::group;
                         })),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryNewContext,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return !strategy.local();
                         })),
                         parameter_name);

}  // namespace
}  // namespace regroup::creation_test
