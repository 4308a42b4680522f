// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::many_creations_test {
namespace {

// Creates thousands of communicators, one after another or a few at a time, of overlapping groups
// of all sizes: each is correct, and none is left behind. MPICH supports 2,046 at once, so
// permanent leaks would not only be counted but also exhaust them.

class ManyCreations : public StrategyTest {
 protected:
  /// Returns how often to repeat `creations`, so that the four tests together create more than
  /// MPICH supports at once; less often if more ranks share the cores. Open MPI supports more than
  /// a test can create.
  static int rounds(int creations) {
    const int most = mpi_is_open_mpi ? 100 : 700;
    const int all = std::min(most, world().ranks <= 3 ? 700 : world().ranks <= 5 ? 300 : 100);
    return all / creations + 1;
  }

  void expect_nothing_left() {
    EXPECT_EQ(count().alive, 0);
    EXPECT_LE(count().alive_max, most_alive_);
  }

  /// While one group is formed: the two parts in Algorithm 1, and the communicator between them.
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
  // The group is a window that moves over the ranks; the last `kept` communicators stay alive.
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
  // Groups grow from one rank to all ranks by merging neighbours; each is created from the parent.
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
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)),
                         parameter_name);

/// Strategies that copy their parent or let the machine determine the members.
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
                         parameter_name);

// The number of communicators of a process is limited (MPICH: 2,048). The next creation must fail
// on all members, and must succeed again once some are freed.

/// More than MPICH supports. Exhausting Open MPI's 65,532 would take too long.
constexpr std::size_t enough = 3000;

std::vector<std::string> errors;

void record(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*code, text, &length);
  errors.emplace_back(text);
}

/// Records errors on `comm` and on all communicators created from it.
class Recorder {
 public:
  explicit Recorder(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_get_errhandler(comm, &before_);
    MPI_Errhandler recording = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(record, &recording);
    MPI_Comm_set_errhandler(comm, recording);
    MPI_Errhandler_free(&recording);
    errors.clear();
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    MPI_Comm_set_errhandler(comm_, before_);
    MPI_Errhandler_free(&before_);
  }

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

class ContextsRunOut : public StrategyTest {
 protected:
  /// Takes at most `most` contexts of this process; returns whether they ran out.
  bool take(std::size_t most = enough) {
    while (errors.empty() && taken_.size() < most) {
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Comm_dup(MPI_COMM_SELF, &comm);
      taken_.emplace_back(comm, taken_count_);
    }
    const bool all = !errors.empty();
    errors.clear();
    return all;
  }

  /// Returns why more than an error happens if members have different contexts left, if it does.
  std::optional<std::string> breaks_down() const {
    if (leaders_talk_on_parent())
      return "members wait for one that gave up, until it aborts the program";
    if (GetParam() == "intercomm_create_from_groups") return "MPICH 4.0 crashes";
    return std::nullopt;
  }

  /// Checks that there was an error; its class and text depend on the library.
  static void expect_error() {
    EXPECT_FALSE(errors.empty());
    errors.clear();
  }

  CommunicatorCount taken_count_;
  std::vector<CommHandle> taken_;

 private:
  Recorder of_world_{MPI_COMM_WORLD};
  Recorder of_self_{MPI_COMM_SELF};
};

TEST_P(ContextsRunOut, IsAnErrorOnAllMembersAndOverOnceSomeAreFreed) {
  const Members members = strategy().serves_balancers() ? neighbours(2) : everybody();
  if (world().ranks > 1) take(1900);  // to save time
  std::vector<GroupComm> made;
  while (errors.empty() && made.size() < enough) made.push_back(make_one(members));
  if (made.size() == enough) GTEST_SKIP() << "the MPI library has more contexts than that";
  EXPECT_FALSE(made.back());
  expect_error();
  made.clear();
  EXPECT_EQ(count().alive, 0);
  barrier();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(make_one(members));
  EXPECT_THAT(errors, testing::IsEmpty());
}

TEST_P(ContextsRunOut, IsAnErrorOnAllMembersWhereOneOfThemHasNoneLeft) {
  if (breaks_down()) GTEST_SKIP() << *breaks_down();
  int few = world().rank == 0 && take() ? 1 : 0;
  world().waiter.blocking([&] { MPI_Bcast(&few, 1, MPI_INT, 0, MPI_COMM_WORLD); });
  if (few == 0) GTEST_SKIP() << "the MPI library has more contexts than that";
  EXPECT_FALSE(make_one(everybody()));
  expect_error();
  taken_.clear();
  barrier();
  const GroupComm again = make_one(everybody());
  EXPECT_TRUE(again || strategy().forms == Forms::shared);
  EXPECT_THAT(errors, testing::IsEmpty());
}

TEST_P(ContextsRunOut, IsAnErrorWhereEveryMemberHasSomeLeftButNoTwoTheSame) {
  if (breaks_down()) GTEST_SKIP() << *breaks_down();
  if (world().ranks == 1) return;
  if (!take()) GTEST_SKIP() << "the MPI library has more contexts than that";
  // All ranks took contexts in the same order: even ranks free every second one, odd ranks the
  // others.
  for (std::size_t i = static_cast<std::size_t>(world().rank) % 2; i < taken_.size(); i += 2) {
    taken_[i].reset();
  }
  barrier();
  EXPECT_FALSE(make_one(everybody()));
  expect_error();
}

INSTANTIATE_TEST_SUITE_P(Strategies, ContextsRunOut,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return !strategy.local();
                         })),
                         parameter_name);

/// Strategies that need no context.
class WithoutContexts : public ContextsRunOut {};

TEST_P(WithoutContexts, FormsGroupsAllTheSame) {
  take();
  barrier();
  expect_formed(everybody());
  expect_formed(neighbours(2));
  std::vector<int> backwards = as_list(everybody());
  std::ranges::reverse(backwards);
  if (strategy().forms == Forms::any) expect_formed(Members::list(backwards));
  EXPECT_THAT(errors, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Strategies, WithoutContexts,
                         testing::ValuesIn(strategies_that(&Strategy::local)), parameter_name);

}  // namespace
}  // namespace regroup::many_creations_test
