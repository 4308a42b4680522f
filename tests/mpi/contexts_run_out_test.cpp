// SPDX-License-Identifier: BSD-3-Clause
//
// A process can have only so many communicators at a time (MPICH: 2,048). The next one must be an
// error that says so, on all members, and no harm once some are freed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/mpi/strategy_fixture.hpp"

namespace regroup {
namespace {

/// More than MPICH has. Of Open MPI's 65,532 nobody need see the end.
constexpr std::size_t enough = 3000;

std::vector<std::string> errors;

void record(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*code, text, &length);
  errors.emplace_back(text);
}

/// Has errors on `comm`, and on all that is made of it, recorded.
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
  /// Takes contexts of this process, at most so many; answers whether they ran out.
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

  /// Why it does worse than an error where members have different contexts left.
  std::optional<std::string> breaks_down() const {
    if (leaders_talk_on_parent())
      return "members wait for one that gave up, until it aborts the program";
    if (GetParam() == "intercomm_create_from_groups") return "MPICH 4.0 crashes";
    return std::nullopt;
  }

  void expect_error() {
    ASSERT_FALSE(errors.empty());
    // A text has so many letters at most: of a call deep inside others MPICH's ends with the name
    // of the function that looks for a context.
    EXPECT_THAT(errors.front(),
                testing::AnyOf(testing::HasSubstr("communicator"), testing::HasSubstr("context ID"),
                               testing::HasSubstr("Get_contextid")));
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
  if (world().ranks > 2) take(1900);  // for the sake of time
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
  // Contexts were taken in the same order everywhere: even ranks free every second one, odd ranks
  // the others.
  for (std::size_t i = static_cast<std::size_t>(world().rank) % 2; i < taken_.size(); i += 2) {
    taken_[i].reset();
  }
  barrier();
  EXPECT_FALSE(make_one(everybody()));
  expect_error();
}

INSTANTIATE_TEST_SUITE_P(
    Strategies, ContextsRunOut,
    testing::ValuesIn(strategies_that([](auto& strategy) { return !strategy.local(); })), name_of);

/// Those that need none.
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
                         testing::ValuesIn(strategies_that(&Strategy::local)), name_of);

}  // namespace
}  // namespace regroup
