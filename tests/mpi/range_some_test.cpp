// SPDX-License-Identifier: BSD-3-Clause
//
// Requests of which some are complete: waitany, testany, waitsome, testsome; and statuses of many.
#include <array>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Receives from oneself with tags 0, 1, …, and what has come.
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

// What is complete of the first is told of, although the second one's is not.
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
}  // namespace regroup::range
