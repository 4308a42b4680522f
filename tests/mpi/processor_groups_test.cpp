// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "communicators/multicommunicator.hpp"
#include "regroup/communicator.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::processor_groups_test {
namespace {

// Uses of processor groups in Global Arrays (Dinan et al., EuroMPI 2011, section 2.2): groups that
// only their members create support messages, collective operations and arrays with one-sided
// access, also in groups of a group. Other processes take no part.

/// An array with one element per member, accessible to all members.
class Window {
 public:
  explicit Window(MPI_Comm comm) {
    world().waiter.blocking([&] {
      MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &element_, &window_);
    });
    *element_ = 0;
    fence();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    world().waiter.blocking([&] { MPI_Win_free(&window_); });
  }

  MPI_Win get() const { return window_; }
  int own() const { return *element_; }
  void fence() const {
    world().waiter.blocking([&] { MPI_Win_fence(0, window_); });
  }

 private:
  int* element_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

void expect_collectives(MPI_Comm comm, const std::vector<int>& ranks) {
  EXPECT_EQ(ranks_of(comm), ranks);
  int sum = 0;
  int first = world().rank;
  world().waiter.blocking([&] {
    MPI_Allreduce(&world().rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
  });
  EXPECT_EQ(sum, std::accumulate(ranks.begin(), ranks.end(), 0));
  EXPECT_EQ(first, ranks.front());
}

void expect_one_sided(MPI_Comm comm, const std::vector<int>& ranks) {
  const int size = static_cast<int>(ranks.size());
  const int own = static_cast<int>(std::ranges::find(ranks, world().rank) - ranks.begin());
  // Put and get: each member writes to the next one and reads the element of the previous one.
  const Window array(comm);
  MPI_Put(&world().rank, 1, MPI_INT, (own + 1) % size, 0, 1, MPI_INT, array.get());
  array.fence();
  EXPECT_EQ(array.own(), ranks[static_cast<std::size_t>((own + size - 1) % size)]);
  int got = -1;
  MPI_Get(&got, 1, MPI_INT, (own + size - 1) % size, 0, 1, MPI_INT, array.get());
  array.fence();
  EXPECT_EQ(got, ranks[static_cast<std::size_t>((own + 2 * size - 2) % size)]);
  // Accumulate: a sum at the last member.
  const Window sum(comm);
  MPI_Accumulate(&world().rank, 1, MPI_INT, size - 1, 0, 1, MPI_INT, MPI_SUM, sum.get());
  sum.fence();
  EXPECT_EQ(sum.own(), own == size - 1 ? std::accumulate(ranks.begin(), ranks.end(), 0) : 0);
  // The task counter (NXTVAL): every number goes to one member.
  const Window counter(comm);
  constexpr int tasks_each = 4;
  const int one = 1;
  std::vector<int> tasks(tasks_each);
  world().waiter.blocking([&] {
    for (int& task : tasks) {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, counter.get());
      MPI_Fetch_and_op(&one, &task, MPI_INT, 0, 0, MPI_SUM, counter.get());
      MPI_Win_unlock(0, counter.get());
    }
  });
  std::vector<int> all(tasks.size() * ranks.size());
  world().waiter.blocking([&] {
    MPI_Allgather(tasks.data(), tasks_each, MPI_INT, all.data(), tasks_each, MPI_INT, comm);
  });
  std::ranges::sort(all);
  std::vector<int> expected(all.size());
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

/// Checks all uses of a group, on an MPI communicator that contains `members`.
void expect_processor_group(MPI_Comm comm, const Members& members) {
  ASSERT_NE(comm, MPI_COMM_NULL);
  const std::vector<int> ranks = as_list(members);
  expect_collectives(comm, ranks);
  expect_one_sided(comm, ranks);
}

Members backwards(const Members& members) {
  std::vector<int> ranks = as_list(members);
  std::ranges::reverse(ranks);
  return Members::list(std::move(ranks));
}

/// Strategies that form requested groups as MPI communicators.
class ProcessorGroups : public StrategyTest {};

TEST_P(ProcessorGroups, HaveMessagesCollectivesAndArraysWhileOthersWaitElsewhere) {
  for (int first = 0; first < world().ranks; first += 3) {
    const Members members = backwards(Members::range(first, std::min(3, world().ranks - first)));
    {
      const GroupComm comm = expect_formed(members);
      if (comm) expect_processor_group(comm.comm(), members);
    }
    barrier();
  }
  EXPECT_EQ(count().alive, 0);
}

TEST_P(ProcessorGroups, HoldForSeveralGroupsAtOnceAndForGroupsOfGroups) {
  const Members members = neighbours(4);
  const GroupComm outer = make_one(members);
  ASSERT_TRUE(outer);
  Site parent(outer.comm(), world().waiter);
  const int half = (outer.size() + 1) / 2;
  const bool low = outer.rank() < half;
  const Members inner = low ? Members::range(0, half) : Members::range(half, outer.size() - half);
  GroupComm comm;
  world().waiter.blocking([&] { comm = strategy().make(parent, inner, tag); });
  const int first = members[inner[0]];
  expect_processor_group(comm.comm(), Members::range(first, inner.size()));
  expect_processor_group(outer.comm(), members);
}

INSTANTIATE_TEST_SUITE_P(Strategies, ProcessorGroups,
                         testing::ValuesIn(strategies_that(has_a_context)), parameter_name);

/// Range communicators converted to MPI communicators by their members.
class ToMpi : public testing::Test {
 protected:
  static constexpr int tag = 11;

  Site parent_{MPI_COMM_WORLD, world().waiter};
};

TEST_F(ToMpi, MakesAProcessorGroupOfARangeWhileOthersWaitElsewhere) {
  for (int first = 0; first < world().ranks; first += 2) {
    const int last = std::min(first + 4, world().ranks - 1);
    const range::Comm comm = parent_.all().range(first, last, 2);
    if (comm.rank() >= 0) {
      expect_processor_group(to_mpi(comm, tag), Members::range(first, comm.size(), 2));
    }
    barrier();
  }
}

TEST_F(ToMpi, KeepsTheOrderOfGroupsThatAreNoRange) {
  std::vector<int> ranks = as_list(neighbours(3));
  std::ranges::rotate(ranks, ranks.begin() + 1 % static_cast<int>(ranks.size()));
  std::ranges::reverse(ranks);
  GroupComm comm;
  world().waiter.blocking([&] {
    comm = find_entry(strategies(), "icreate_group")->make(parent_, Members::list(ranks), tag);
  });
  ASSERT_NE(comm.as_range(), nullptr);
  expect_processor_group(to_mpi(*comm.as_range(), tag), Members::list(ranks));
}

TEST_F(ToMpi, GivesAContextApartFromTheRangesOwn) {
  const range::Comm all = parent_.all();
  const MPI_Comm made = to_mpi(all);
  // Two reductions are under way at the same time, on the range and on its MPI communicator.
  int in_range = world().rank;
  int in_mpi = 0;
  range::Request request = range::iallreduce(&world().rank, &in_range, 1, MPI_INT, MPI_MAX, all);
  MPI_Request other = MPI_REQUEST_NULL;
  MPI_Iallreduce(&world().rank, &in_mpi, 1, MPI_INT, MPI_MIN, made, &other);
  complete(other);
  request.wait();
  EXPECT_EQ(in_range, world().ranks - 1);
  EXPECT_EQ(in_mpi, 0);
}

TEST_F(ToMpi, CreatesOneForEachRangeOnce) {
  const long before = calls_so_far().constructors;
  const MPI_Comm made = to_mpi(parent_.all());
  EXPECT_EQ(to_mpi(parent_.all().range(0, world().ranks - 1)), made);
  EXPECT_EQ(calls_so_far().constructors - before, 1);
  if (world().ranks > 1) {
    const range::Comm alone = parent_.all().range(world().rank, world().rank);
    EXPECT_NE(to_mpi(alone), made);
    free_mpi(alone);
    EXPECT_EQ(to_mpi(parent_.all()), made);
  }
  free_mpi(parent_.all());
  const long calls = calls_so_far().constructors;
  to_mpi(parent_.all());
  EXPECT_EQ(calls_so_far().constructors - calls, 1);
}

// MPICH supports at most 2,048 communicators at a time.
TEST_F(ToMpi, FreesTheirsWithCreatedCommunicators) {
  for (int i = 0; i < 2500; ++i) {
    const int last = world().ranks - 1;
    const range::GroupCreation creation =
        icreate_group(parent_.all(), 0, last, 1, tag, range::Isolation::by_tags);
    EXPECT_NE(to_mpi(creation.comm()), MPI_COMM_NULL);
    if (i % 100 == 0) {
      EXPECT_NE(to_mpi(creation.comm().range(0, last)), MPI_COMM_NULL);
    }
  }
}

TEST_F(ToMpi, RefusesWhoIsNoMemberAndTagsThatAreNotItsOwn) {
  const range::Comm first = parent_.all().range(0, 0);
  if (world().rank > 0) {
    EXPECT_THROW(to_mpi(first, tag), std::invalid_argument);
  } else {
    EXPECT_THROW(to_mpi(first, -1), std::invalid_argument);
    EXPECT_THROW(to_mpi(first, range::Parent::max_tag + 1), std::invalid_argument);
  }
}

// The multicommunicator of Dinan et al., EuroMPI 2011, section 5.2, created by its members alone.

class MulticommunicatorTest : public testing::Test {
 protected:
  static constexpr int tag = 5;

  /// Returns the merged communicator; called by its members only.
  CommHandle merged(const std::vector<Members>& groups) {
    CommHandle comm;
    world().waiter.blocking([&] { comm = Multicommunicator(parent_, groups, tag).merge(); });
    return comm;
  }

  /// Returns all ranks of the world in descending order, in groups of `size`.
  static std::vector<Members> backwards(int size) {
    std::vector<Members> groups;
    for (int last = world().ranks - 1; last >= 0; last -= size) {
      std::vector<int> ranks;
      for (int rank = last; rank >= 0 && rank > last - size; --rank) ranks.push_back(rank);
      groups.push_back(Members::list(ranks));
    }
    return groups;
  }

  Site parent_{MPI_COMM_WORLD, world().waiter};
};

TEST_F(MulticommunicatorTest, OfAnyNumberOfGroupsIsMergedInTheirOrder) {
  std::vector<int> all;
  for (int rank = world().ranks - 1; rank >= 0; --rank) all.push_back(rank);
  for (int size = 1; size <= world().ranks; ++size) {
    const CommHandle comm = merged(backwards(size));
    EXPECT_EQ(ranks_of(comm.get()), all) << "in groups of " << size;
    EXPECT_EQ(parent_.communicators().alive, 1);
  }
  EXPECT_EQ(parent_.communicators().alive, 0);
}

TEST_F(MulticommunicatorTest, IsFlattenedIntoTheFirstHalfOfTheGroupsAndTheOthers) {
  const std::vector<Members> groups = backwards(1);
  const int ranks = world().ranks;
  const int first = (ranks + 1) / 2;
  const bool is_first = world().rank >= ranks - first;
  world().waiter.blocking([&] {
    const Multicommunicator many(parent_, groups, tag);
    int local = 0;
    MPI_Comm_size(many.side(), &local);
    EXPECT_EQ(local, is_first ? first : ranks - first);
    const CommHandle flat = many.flatten();
    if (ranks == 1) {
      EXPECT_FALSE(flat);
      return;
    }
    int remote = 0;
    MPI_Comm_remote_size(flat.get(), &remote);
    EXPECT_EQ(remote, ranks - local);
  });
  EXPECT_EQ(parent_.communicators().alive, 0);
}

TEST_F(MulticommunicatorTest, NeedsNobodyElse) {
  // The last rank does not call.
  if (world().ranks == 1) GTEST_SKIP() << "there is nobody else";
  std::vector<Members> others;
  std::vector<int> ranks;
  for (int rank = 0; rank < world().ranks - 1; ++rank) {
    others.push_back(Members::range(rank, 1));
    ranks.push_back(rank);
  }
  if (world().rank == world().ranks - 1) return;
  EXPECT_EQ(ranks_of(merged(others).get()), ranks);
}

TEST_F(MulticommunicatorTest, RefusesGroupsThatOverlapOrAreEmptyAndStrangers) {
  const Members mine = Members::range(world().rank, 1);
  EXPECT_THROW(Multicommunicator(parent_, {mine, mine}, tag), std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {mine, Members()}, tag), std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {Members::range(world().ranks, 1)}, tag),
               std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {}, tag), std::invalid_argument);
}

}  // namespace
}  // namespace regroup::processor_groups_test
