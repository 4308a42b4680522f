// SPDX-License-Identifier: BSD-3-Clause
//
// Requirements on every communicator strategy, tested over each row of the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::strategies_test {
namespace {

Members contiguous(int first, int size) { return Members::range(first, size); }

Members strided(int first, int stride) {
  return Members::range(first, (world().ranks - 1 - first) / stride + 1, stride);
}

Members reversed(const Members& members) {
  std::vector<int> ranks = as_list(members);
  std::ranges::reverse(ranks);
  return Members::list(ranks);
}

/// Strategies that form requested groups.
class EveryStrategy : public StrategyTest {
 protected:
  /// Forms `members` and checks them, or checks that the strategy refuses them.
  void expect_formed_or_refused(const Members& members) {
    if (forms(members)) {
      expect_formed(members);
    } else if (joins(members)) {
      EXPECT_THROW(form(members), std::invalid_argument);
    }
  }
};

TEST_P(EveryStrategy, OrdersMembersAsTheyAreGiven) {
  for (int size = 1; size <= std::min(17, world().ranks); ++size) {
    SCOPED_TRACE(size);
    const Members last = contiguous(world().ranks - size, size);
    expect_formed_or_refused(contiguous(0, size));
    expect_formed_or_refused(last);
    expect_formed_or_refused(reversed(last));
  }
  for (const int stride : {2, 3}) {
    expect_formed_or_refused(strided(0, stride));
    expect_formed_or_refused(reversed(strided(world().ranks > 1 ? 1 : 0, stride)));
  }
  std::vector<int> rotated = as_list(everybody());
  std::ranges::rotate(rotated, rotated.begin() + world().ranks / 2);
  expect_formed_or_refused(Members::list(rotated));
  std::vector<int> swapped = as_list(everybody());
  if (swapped.size() >= 2) std::swap(swapped.back(), swapped[swapped.size() - 2]);
  expect_formed_or_refused(Members::list(swapped));
}

TEST_P(EveryStrategy, FormsDisjointGroupsAtOnce) {
  for (const int size : {1, 2, 3, 4}) {
    SCOPED_TRACE(size);
    expect_formed(neighbours(size));
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

TEST_P(EveryStrategy, MakesNothingOfNobody) {
  EXPECT_FALSE(make_one({}));
  EXPECT_EQ(count().alive_max, 0);
}

TEST_P(EveryStrategy, HasNothingForACallerThatIsNoMember) {
  const Members first = contiguous(0, 1);
  if (joins(first)) {
    EXPECT_EQ(make_one(first).size(), 1);
  } else if (parent_collective()) {
    EXPECT_FALSE(make_one(first));
  } else {
    EXPECT_THROW(make_one(first), std::invalid_argument);
  }
}

TEST_P(EveryStrategy, LeavesTheOthersAloneWhereOnlyMembersNeedToCall) {
  if (parent_collective()) return;
  // One group after another is formed while all other ranks wait in a barrier.
  for (int first = 0; first < world().ranks; first += 3) {
    const Members members = contiguous(first, std::min(3, world().ranks - first));
    expect_formed(members);
    barrier();
  }
}

/// Strategies that form an MPI communicator with its own context.
class EveryContext : public EveryStrategy {};

TEST_P(EveryContext, TellsCommunicatorsOfTheSameMembersApart) {
  const Members all = everybody();
  const GroupComm one = form(all);
  const GroupComm other = form(all);
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  const int first = 1;
  const int second = 2;
  int in_one = 0;
  int in_other = 0;
  for (const MPI_Request request :
       {receive_from(other.translate(before), in_other, tag, other.comm()),
        receive_from(one.translate(before), in_one, tag, one.comm()),
        send_to(one.translate(next), first, tag, one.comm()),
        send_to(other.translate(next), second, tag, other.comm())}) {
    complete(request);
  }
  EXPECT_EQ(in_one, 1);
  EXPECT_EQ(in_other, 2);
}

/// Strategies that copy their parent.
class EveryCopy : public StrategyTest {};

TEST_P(EveryCopy, HasTheRanksOfItsParent) {
  const Members all = everybody();
  const GroupComm comm = make_one(all);
  EXPECT_EQ(content(comm), all);
  int alike = MPI_UNEQUAL;
  MPI_Comm_compare(comm.comm(), MPI_COMM_WORLD, &alike);
  EXPECT_EQ(alike, MPI_CONGRUENT);
}

/// Strategies for which the machine determines the members.
class EveryShare : public StrategyTest {};

TEST_P(EveryShare, HoldsTheCallerAmongRanksInTheOrderOfTheParent) {
  const GroupComm comm = make_one(everybody());
  if (!comm) return;  // the machine has no such part
  const std::vector<int> ranks = as_list(content(comm));
  EXPECT_TRUE(std::ranges::is_sorted(ranks));
  EXPECT_EQ(ranks[static_cast<std::size_t>(comm.rank())], world().rank);
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy,
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryContext,
                         testing::ValuesIn(strategies_that(has_a_context)), parameter_name);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryCopy,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.forms == Forms::whole;
                         })),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Strategies, EveryShare,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.forms == Forms::shared;
                         })),
                         parameter_name);

}  // namespace
}  // namespace regroup::strategies_test
