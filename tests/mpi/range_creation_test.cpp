// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::creation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void expect_members(const Comm& comm, const std::vector<int>& members, int tag = 0) {
  ASSERT_EQ(comm.size(), static_cast<int>(members.size()));
  std::vector<int> found(members.size());
  const int world_rank = comm.parent().rank();
  allgather(&world_rank, 1, MPI_INT, found.data(), 1, MPI_INT, comm, tag);
  EXPECT_EQ(found, members);
}

TEST_F(RangeTest, CreatingARangeIsLocalAndImmediate) {
  const Comm parent_comm = world.range(0, size - 1);
  std::vector<int> every_other;
  for (int r = 0; r < size; r += 2) every_other.push_back(r);
  if (rank % 2 != 0) return;
  const long before = calls_so_far().mpi;
  GroupCreation creation = icreate_group(parent_comm, every_other, 1, Isolation::checked);
  const Comm& comm = creation.comm();
  GroupCreation again = icreate_group(parent_comm, 0, size - 1, 2, 1, Isolation::checked);
  EXPECT_EQ(calls_so_far().mpi, before);
  EXPECT_TRUE(creation.test());
  EXPECT_NE(comm.context(), again.comm().context());
  EXPECT_EQ(comm.rank(), rank / 2);
  expect_members(comm, every_other);
  expect_members(again.comm(), every_other);
}

TEST_F(RangeTest, CreatingAnyGroupKeepsTheOrderOfItsMembers) {
  std::mt19937 random(5);  // the same on all ranks
  for (int n = 1; n <= size; ++n) {
    std::vector<int> members = all_ranks(size);
    std::ranges::shuffle(members, random);
    members.resize(static_cast<std::size_t>(n));
    if (std::ranges::find(members, rank) == members.end()) continue;
    GroupCreation creation = icreate_group(world, members, 0);
    creation.wait();
    expect_members(creation.comm(), members);
    const Comm range = creation.comm().range(0, n / 2);
    members.resize(static_cast<std::size_t>(n / 2) + 1);
    if (range.rank() >= 0) expect_members(range, members);
    for (int r = 0; r < range.size(); ++r) EXPECT_EQ(range.rank_of(range.parent_rank(r)), r);
  }
}

// All ranks are members of every group, groups have different leaders, and each rank waits in its
// own order: this would deadlock if creations did not advance each other.
TEST_F(RangeTest, CreationsThatOverlapAllMakeProgressInWhateverOrderTheyAreWaitedFor) {
  std::mt19937 random(6);  // the same on all ranks
  constexpr int creations = 8;
  std::vector<std::vector<int>> groups;
  std::vector<GroupCreation> pending;
  for (int i = 0; i < creations; ++i) {
    std::vector<int> members = all_ranks(size);
    std::ranges::shuffle(members, random);
    groups.push_back(members);
  }
  for (int i = 0; i < creations; ++i) {
    pending.push_back(icreate_group(world, groups[static_cast<std::size_t>(i)], i));
  }
  for (int i = 0; i < creations; ++i) {
    pending[static_cast<std::size_t>((i + rank) % creations)].wait();
  }
  for (std::size_t i = 0; i < pending.size(); ++i) {
    expect_members(pending[i].comm(), groups[i]);
    for (std::size_t j = 0; j < i && size > 2; ++j) {
      EXPECT_NE(pending[i].comm().context(), pending[j].comm().context());
    }
  }
}

TEST_F(RangeTest, CreationsAreRequestsAmongOthers) {
  std::vector<GroupCreation> creations;
  std::vector<Request> requests;
  for (int tag = 0; tag < 3; ++tag) {
    creations.push_back(icreate_group(world, reversed_ranks(size), tag));
    requests.push_back(creations.back().take_request());
  }
  int number = -1;
  requests.push_back(irecv(&number, 1, MPI_INT, (rank + 1) % size, 4, world));
  requests.push_back(isend(&rank, 1, MPI_INT, (rank + size - 1) % size, 4, world));
  if (size > 1) {
    EXPECT_FALSE(creations.front().test());
    EXPECT_THROW(creations.front().comm(), std::logic_error);
  }
  waitall(requests);
  EXPECT_EQ(number, (rank + 1) % size);
  for (const GroupCreation& creation : creations) {
    expect_members(creation.comm(), reversed_ranks(size));
  }
  GroupCreation at_once = icreate_group(world, 0, size - 1, 1, 9, Isolation::by_tags);
  EXPECT_FALSE(at_once.take_request());
  EXPECT_EQ(at_once.comm().size(), size);
}

TEST_F(RangeTest, CreatedCommunicatorsDoNotHearTheirParent) {
  if (parent.channels().number() == 0) GTEST_SKIP() << "this MPI library has too few tags";
  GroupCreation list = icreate_group(world, reversed_ranks(size), 0);
  list.wait();
  const GroupCreation range = icreate_group(world, 0, size - 1, 1, 0, Isolation::checked);
  if (size < 2) return;
  const int up = (rank + 1) % size;
  int number = 1;
  Request sending = isend(&number, 1, MPI_INT, up, 4, world);
  probe((rank + size - 1) % size, 4, world);
  for (const GroupCreation* creation : {&std::as_const(list), &range}) {
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, 4, creation->comm()));
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, creation->comm()));
  }
  recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 4, world);
  sending.wait();
}

TEST_F(RangeTest, MessagesOfCreatedCommunicatorsAreToldInTheirRanksAndTags) {
  GroupCreation creation = icreate_group(world, reversed_ranks(size), 0);
  creation.wait();
  const Comm& comm = creation.comm();
  Request sending = isend(&rank, 1, MPI_INT, (comm.rank() + 1) % size, 4, comm);
  for (const bool probing : {true, false}) {
    MPI_Status status;
    int number = -1;
    if (probing) {
      probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    } else {
      recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    }
    EXPECT_EQ(status.MPI_SOURCE, (comm.rank() + size - 1) % size);
    EXPECT_EQ(status.MPI_TAG, 4);
  }
  sending.wait();
}

TEST_F(RangeTest, NoTwoKindsAndChannelsHaveATagOfMpiInCommon) {
  std::set<std::uint32_t> channels;
  std::set<int> tags;
  for (int i = 0; i < 8; ++i) {
    GroupCreation creation = icreate_group(world, 0, size - 1, 1, i);
    creation.wait();
    if (!channels.insert(creation.comm().channel()).second) continue;
    for (int kind = 0; kind <= static_cast<int>(Kind::numbered); ++kind) {
      for (const int tag : {0, Parent::max_tag}) {
        EXPECT_TRUE(tags.insert(wire_tag(creation.comm(), static_cast<Kind>(kind), tag)).second);
      }
    }
  }
}

TEST_F(RangeTest, AProcessCountsOnlyTheGroupsThatItLeads) {
  if (size < 3) return;
  std::vector<int> members = reversed_ranks(size);
  for (int i = 0; i < size; ++i) {
    GroupCreation creation = icreate_group(world, members, 0);
    creation.wait();
    EXPECT_EQ(creation.comm().context().a, members[0]);
    EXPECT_EQ(creation.comm().context().b, 1);
    std::ranges::rotate(members, members.begin() + 1);
  }
}

TEST_F(RangeTest, AGroupWhoseLeaderHasNotCreatedItYetCannotBeUsed) {
  if (size < 2) return;
  const bool leading = rank == size - 1;
  if (leading) barrier(world);
  GroupCreation creation = icreate_group(world, reversed_ranks(size), 0);
  if (!leading) {
    EXPECT_THROW(creation.comm(), std::logic_error);
    barrier(world);
  }
  creation.wait();
  EXPECT_EQ(creation.comm().rank(), size - 1 - rank);
}

TEST_F(RangeTest, ACopyHasTheMembersOfTheOriginalAndMessagesOfItsOwn) {
  const GroupCreation copy = dup(world);
  expect_members(copy.comm(), all_ranks(size));
  if (parent.channels().number() > 0) {
    EXPECT_NE(copy.comm().channel(), world.channel());
  }
  GroupCreation of_copy = idup(copy.comm());
  of_copy.wait();
  EXPECT_NE(of_copy.comm().context(), copy.comm().context());
  barrier(of_copy.comm());
}

TEST_F(RangeTest, ASplitHasTheMembersThatMpisHas) {
  for (int round = 0; round < 4; ++round) {
    const int colour = (rank + round) % 3 == 0 ? MPI_UNDEFINED : rank % 2;
    const int key = rank * 7 % 5;
    MPI_Comm theirs = MPI_COMM_NULL;
    parent.waiter().blocking([&] { MPI_Comm_split(MPI_COMM_WORLD, colour, key, &theirs); });
    const std::optional<GroupCreation> ours = split(world, colour, key, round);
    EXPECT_EQ(ours.has_value(), theirs != MPI_COMM_NULL);
    if (!ours || theirs == MPI_COMM_NULL) continue;
    MPI_Group members = group(ours->comm());
    MPI_Group same_members = MPI_GROUP_NULL;
    MPI_Comm_group(theirs, &same_members);
    int comparison = MPI_UNEQUAL;
    MPI_Group_compare(members, same_members, &comparison);
    EXPECT_EQ(comparison, MPI_IDENT);
    MPI_Group_free(&members);
    MPI_Group_free(&same_members);
    MPI_Comm_free(&theirs);
    barrier(ours->comm());
  }
}

TEST_F(RangeTest, PersistentCollectivesStartAgainAndAgain) {
  int number = 0;
  long long sum = 0;
  long long mine = 0;
  const Persistent broadcast = bcast_init(&number, 1, MPI_INT, size - 1, world);
  const Persistent adding = allreduce_init(&mine, &sum, 1, MPI_LONG_LONG, MPI_SUM, world);
  for (int round = 0; round < 5; ++round) {
    number = rank == size - 1 ? round : -1;
    mine = round;
    Request requests[]{adding.start(), broadcast.start()};
    waitall(requests);
    EXPECT_EQ(number, round);
    EXPECT_EQ(sum, static_cast<long long>(round) * size);
  }
}

TEST_F(RangeTest, AParentAloneWaitsAsAllOthersDo) {
  const Parent automatic(MPI_COMM_WORLD);
  int polite = automatic.waiter().how() == Waiting::polite ? 1 : 0;
  const int mine = polite;
  bcast(&polite, 1, MPI_INT, 0, world);
  EXPECT_EQ(mine, polite);
  EXPECT_EQ(automatic.size(), size);
}

TEST_F(RangeTest, AWrongGroupIsRefused) {
  EXPECT_THROW(icreate_group(world, std::vector<int>{}, 0), std::invalid_argument);
  EXPECT_THROW(icreate_group(world, std::vector<int>{size}, 0), std::invalid_argument);
  EXPECT_THROW(icreate_group(world, std::vector<int>{0, 0}, 0), std::invalid_argument);
}

// Requests of which some are complete: waitany, testany, waitsome, testsome; and statuses of many.

/// Receives from the caller itself with tags 0, 1, …, and the received numbers.
class RangeSome : public RangeTest {
 protected:
  static constexpr int count = 4;

  RangeSome() {
    for (int tag = 0; tag < count; ++tag) {
      requests_.push_back(irecv(&in_[static_cast<std::size_t>(tag)], 1, MPI_INT, rank, tag, world));
    }
  }
  void come(int tag) {
    const int number = 100 + tag;
    send(&number, 1, MPI_INT, rank, tag, world);
  }
  static void expect_message(const MPI_Status& status, int source, int tag) {
    EXPECT_EQ(status.MPI_SOURCE, source);
    EXPECT_EQ(status.MPI_TAG, tag);
  }
  static void expect_nothing(const MPI_Status& status) {
    int received = -1;
    MPI_Get_count(&status, MPI_INT, &received);
    EXPECT_EQ(received, 0);
    expect_message(status, MPI_ANY_SOURCE, MPI_ANY_TAG);
  }
  void all_come() {
    for (int tag = 0; tag < count; ++tag) {
      if (requests_[static_cast<std::size_t>(tag)]) come(tag);
    }
    waitall(requests_);
  }

  std::array<int, count> in_{};
  std::vector<Request> requests_;
};

TEST_F(RangeSome, OneIsWaitedFor) {
  for (const int tag : {2, 0, 3, 1}) {
    come(tag);
    MPI_Status status{};
    EXPECT_EQ(waitany(requests_, &status), tag);
    expect_message(status, rank, tag);
    EXPECT_EQ(in_[static_cast<std::size_t>(tag)], 100 + tag);
    EXPECT_FALSE(requests_[static_cast<std::size_t>(tag)]);
  }
  MPI_Status status{};
  EXPECT_EQ(waitany(requests_, &status), MPI_UNDEFINED);
  expect_nothing(status);
}

TEST_F(RangeSome, OneIsLookedFor) {
  EXPECT_EQ(testany(requests_), std::nullopt);
  come(3);
  MPI_Status status{};
  std::optional<int> found;
  while (!found) found = testany(requests_, &status);
  EXPECT_EQ(found, 3);
  expect_message(status, rank, 3);
  EXPECT_EQ(testany(requests_), std::nullopt);
  all_come();
  EXPECT_EQ(testany(requests_, &status), MPI_UNDEFINED);
  expect_nothing(status);
}

TEST_F(RangeSome, SomeAreWaitedFor) {
  std::array<MPI_Status, count> statuses{};
  EXPECT_THAT(testsome(requests_), IsEmpty());
  come(3);
  come(1);
  std::vector<int> found;
  std::vector<MPI_Status> theirs;
  while (found.size() < 2) {
    const std::vector<int> some = waitsome(requests_, statuses.data());
    ASSERT_FALSE(some.empty());
    found.insert(found.end(), some.begin(), some.end());
    theirs.insert(theirs.end(), statuses.begin(), statuses.begin() + std::ssize(some));
  }
  for (std::size_t i = 0; i < found.size(); ++i) expect_message(theirs[i], rank, found[i]);
  EXPECT_THAT(found, testing::UnorderedElementsAre(1, 3));
  EXPECT_TRUE(requests_[0]);
  EXPECT_FALSE(requests_[1]);
  come(0);
  std::vector<int> some;
  while (some.empty()) some = testsome(requests_, statuses.data());
  EXPECT_THAT(some, ElementsAre(0));
  expect_message(statuses[0], rank, 0);
  all_come();
  EXPECT_THAT(waitsome(requests_), IsEmpty());
  EXPECT_THAT(testsome(requests_), IsEmpty());
}

TEST_F(RangeSome, AllTellTheirStatuses) {
  std::array<MPI_Status, count + 1> statuses{};
  requests_.emplace_back();
  EXPECT_FALSE(testall(requests_, statuses.data()));
  for (int tag = 0; tag < count; ++tag) come(tag);
  waitall(requests_, statuses.data());
  for (int tag = 0; tag < count; ++tag) {
    expect_message(statuses[static_cast<std::size_t>(tag)], rank, tag);
  }
  expect_nothing(statuses.back());
  statuses.fill({});
  EXPECT_TRUE(testall(requests_, statuses.data()));
  for (const MPI_Status& status : statuses) expect_nothing(status);
}

TEST_F(RangeSome, OfTwoParents) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  {
    Parent other{copy, test_waiter(), OverlapCheck::on};
    const Comm all = other.all();
    int in = -1;
    requests_.push_back(irecv(&in, 1, MPI_INT, rank, 0, all));
    EXPECT_EQ(testany(requests_), std::nullopt);
    send(&rank, 1, MPI_INT, rank, 0, all);
    EXPECT_EQ(waitany(requests_), count);
    EXPECT_EQ(in, rank);
    all_come();
  }
  MPI_Comm_free(&copy);
}

// The completed collective is reported although the receive is pending.
TEST_F(RangeSome, ReduceToOnesOwnPaceWithCollectives) {
  int sum = -1;
  std::vector<Request> mixed;
  mixed.push_back(iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world));
  mixed.push_back(std::move(requests_[0]));
  MPI_Status status{};
  EXPECT_EQ(waitany(mixed, &status), 0);
  expect_nothing(status);
  EXPECT_EQ(sum, size * (size - 1) / 2);
  come(0);
  EXPECT_EQ(waitany(mixed), 1);
  all_come();
}

}  // namespace
}  // namespace regroup::range::creation_test
