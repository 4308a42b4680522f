// SPDX-License-Identifier: BSD-3-Clause
//
// Thousands of communicators, one after another or a few at a time, in groups of all sizes that
// overlap: each is as asked for, and none is left behind. MPICH can hold 2,046 at once, so what is
// left behind for good would not only be counted but also run out.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "tests/mpi/strategy_fixture.hpp"

namespace regroup {
namespace {

class ManyCreations : public StrategyTest {
 protected:
  /// How often `creations` must be repeated, so that the four tests together form more than MPICH
  /// can hold; less often where more ranks share the cores. Open MPI would hold more than can be
  /// formed here.
  static int rounds(int creations) {
    const int most = mpi_is_open_mpi ? 100 : 700;
    const int all = std::min(most, world().ranks <= 3 ? 700 : world().ranks <= 5 ? 300 : 100);
    return all / creations + 1;
  }

  /// Checks what `comm` is, without a message; a message goes round now and then.
  void expect_is(const GroupComm& comm, const Members& members, bool with_message) {
    ASSERT_EQ(static_cast<bool>(comm), joins(members));
    if (!comm) return;
    EXPECT_EQ(comm.size(), members.size());
    EXPECT_EQ(comm.rank(), members.index_of(world().rank));
    if (!with_message) return;
    EXPECT_EQ(content(comm), members);
    const int before = (comm.rank() + comm.size() - 1) % comm.size();
    EXPECT_EQ(pass_round(comm, world().rank, tag), members[before]);
  }

  void expect_nothing_left() {
    EXPECT_EQ(count().alive, 0);
    EXPECT_LE(count().alive_max, most_alive_);
  }

  /// While one group is formed: the two parts of Algorithm 1, and what joins them.
  int most_alive_ = 3;
};

TEST_P(ManyCreations, OfGroupsOfAllSizesLeaveNothingBehind) {
  for (int round = 0; round < rounds(2 * world().ranks); ++round) {
    for (int size = 1; size <= world().ranks; ++size) {
      for (const int first : {0, world().ranks - size}) {
        const Members members = Members::range(first, size);
        expect_is(form(members), members, round == 0);
      }
    }
  }
  expect_nothing_left();
}

TEST_P(ManyCreations, OfRandomGroupsInRandomOrderLeaveNothingBehind) {
  std::mt19937 random(20110918);  // the same groups on all ranks
  for (int round = 0; round < rounds(1); ++round) {
    std::vector<int> ranks = as_list(everybody());
    std::ranges::shuffle(ranks, random);
    ranks.resize(1 + random() % ranks.size());
    Members members = Members::list(ranks);
    if (!forms(members)) {
      const int stride = 1 + static_cast<int>(random() % 3);
      const int first = ranks.front();
      members = Members::range(first, (world().ranks - 1 - first) / stride + 1, stride);
    }
    expect_is(form(members), members, round % 16 == 0);
  }
  expect_nothing_left();
}

TEST_P(ManyCreations, OfGroupsThatOverlapWithThoseBeforeLeaveNothingBehind) {
  // A window moves over the ranks; the last communicators live on while the next are formed.
  constexpr std::size_t kept = 5;
  most_alive_ = static_cast<int>(kept) + 3;
  const int size = std::max(1, (world().ranks + 1) / 2);
  const int places = world().ranks - size + 1;
  std::deque<GroupComm> comms;
  for (int i = 0; i < rounds(1); ++i) {
    const Members members = Members::range(i % places, size);
    GroupComm comm = form(members);
    expect_is(comm, members, i % 16 == 0);
    comms.push_back(std::move(comm));
    if (comms.size() > kept) comms.pop_front();
  }
  comms.clear();
  expect_nothing_left();
}

TEST_P(ManyCreations, OfGroupsThatGrowLikeThoseOfARunLeaveNothingBehind) {
  // From groups of one to all ranks, by pairs of neighbours, each from the parent.
  for (int round = 0; round < rounds(4); ++round) {
    GroupComm comm;
    for (int size = 1; size < 2 * world().ranks; size *= 2) {
      const Members members = neighbours(size);
      comm = GroupComm();
      comm = form(members);
      expect_is(comm, members, round == 0);
    }
  }
  expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(Strategies, ManyCreations,
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)), name_of);

/// Those that copy their parent or take whom the machine puts together.
class ManyCopies : public StrategyTest {};

TEST_P(ManyCopies, LeaveNothingBehind) {
  const int times = world().ranks <= 3 ? 2500 : 100;
  for (int i = 0; i < times; ++i) make_one(everybody());
  EXPECT_EQ(count().alive, 0);
  EXPECT_LE(count().alive_max, 1);
  const GroupComm comm = make_one(everybody());
  if (strategy().forms == Forms::whole) {
    EXPECT_EQ(content(comm), everybody());
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, ManyCopies,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return !strategy.serves_balancers();
                         })),
                         name_of);

}  // namespace
}  // namespace regroup
