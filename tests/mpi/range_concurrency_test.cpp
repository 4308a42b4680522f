// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <random>
#include <vector>

#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

int sum_of_parent_ranks(const Comm& comm) {
  int sum = 0;
  for (int r = 0; r < comm.size(); ++r) sum += comm.parent_rank(r);
  return sum;
}

TEST_F(RangeTest, DisjointRangesWorkAtTheSameTimeAndAtTheirOwnPace) {
  const int first = rank / 3 * 3;
  const Comm comm = world.range(first, std::min(first + 2, size - 1));
  for (int i = 0; i < 20 + first; ++i) {
    int sum = -1;
    allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(sum, sum_of_parent_ranks(comm));
    int root_rank = rank;
    bcast(&root_rank, 1, MPI_INT, i % comm.size(), comm);
    EXPECT_EQ(root_rank, first + i % comm.size());
  }
}

// The shared process has collectives of both under way; the others have no idea.
TEST_F(RangeTest, RangesThatShareOneProcessNeverInterfere) {
  const int middle = size / 2;
  const Comm left = world.range(0, middle);
  const Comm right = world.range(middle, size - 1);
  std::mt19937 random(static_cast<unsigned>(rank));
  for (int i = 0; i < 50; ++i) {
    int left_sum = -1;
    int right_sum = -1;
    std::vector<Request> requests(2);
    const auto start_left = [&] {
      if (left.rank() < 0) return;
      requests[0] = iallreduce(&rank, &left_sum, 1, MPI_INT, MPI_SUM, left);
    };
    const auto start_right = [&] {
      if (right.rank() < 0) return;
      requests[1] = iallreduce(&rank, &right_sum, 1, MPI_INT, MPI_SUM, right);
    };
    if (random() % 2 == 0) {
      start_left();
      start_right();
    } else {
      start_right();
      start_left();
    }
    if (random() % 2 == 0) std::ranges::reverse(requests);
    waitall(requests);
    if (left.rank() >= 0) {
      EXPECT_EQ(left_sum, sum_of_parent_ranks(left));
    }
    if (right.rank() >= 0) {
      EXPECT_EQ(right_sum, sum_of_parent_ranks(right));
    }
  }
}

TEST_F(RangeTest, UserTagsKeepCollectivesOnOneCommunicatorApartInAnyOrder) {
  constexpr int operations = 8;
  std::vector<int> sums(operations, -1);
  std::vector<int> roots(operations, -1);
  std::vector<int> data(operations);
  std::vector<Request> requests;
  for (int i = 0; i < operations; ++i) {
    const int tag = (i + rank) % operations;
    data[static_cast<std::size_t>(tag)] = rank + tag;
    requests.push_back(iallreduce(&data[static_cast<std::size_t>(tag)],
                                  &sums[static_cast<std::size_t>(tag)], 1, MPI_INT, MPI_SUM, world,
                                  tag));
    if (tag % size == rank) roots[static_cast<std::size_t>(tag)] = tag;
    requests.push_back(
        ibcast(&roots[static_cast<std::size_t>(tag)], 1, MPI_INT, tag % size, world, tag));
  }
  std::mt19937 random(static_cast<unsigned>(rank));
  std::ranges::shuffle(requests, random);
  for (Request& request : requests) wait(request);
  for (int tag = 0; tag < operations; ++tag) {
    EXPECT_EQ(sums[static_cast<std::size_t>(tag)], size * (size - 1) / 2 + size * tag);
    EXPECT_EQ(roots[static_cast<std::size_t>(tag)], tag);
  }
}

TEST_F(RangeTest, RangesThatShareManyProcessesWorkAtTheSameTimeWithTagsOfTheirOwn) {
  const Comm most = world.range(0, std::max(0, size - 2));
  for (int i = 0; i < 20; ++i) {
    int sum = -1;
    int sum_of_most = -1;
    Request of_all = iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, 1);
    Request of_most;
    if (most.rank() >= 0) {
      of_most = iallreduce(&rank, &sum_of_most, 1, MPI_INT, MPI_SUM, most, 2);
    }
    if (rank % 2 == 0) of_all.wait();
    of_most.wait();
    of_all.wait();
    EXPECT_EQ(sum, size * (size - 1) / 2);
    if (most.rank() >= 0) {
      EXPECT_EQ(sum_of_most, sum_of_parent_ranks(most));
    }
  }
}

// The others wait for what rank 0 has under way before they come to the barrier.
TEST_F(RangeTest, ABlockingCollectiveMovesOnWhatIsUnderWay) {
  int sum = -1;
  Request summing = iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  if (rank > 0) summing.wait();
  barrier(world);
  summing.wait();
  EXPECT_EQ(sum, size * (size - 1) / 2);
}

// With six processes and more, some hand the message on: it has left when they return.
TEST_F(RangeTest, WhatABroadcastWroteMayBeChangedAtOnce) {
  constexpr int n = 200'000;
  for (int root = 0; root < size; ++root) {
    std::vector<double> data(n, rank == root ? root + 0.5 : -1);
    bcast(data.data(), n, MPI_DOUBLE, root, world);
    EXPECT_EQ(std::ranges::count(data, root + 0.5), n);
    std::ranges::fill(data, -2);
    barrier(world);
  }
}

TEST_F(RangeTest, ShortCollectivesAllocateNothingOnceWarm) {
  std::vector<double> in(512, rank);
  std::vector<double> out(512 * static_cast<std::size_t>(size));
  long allocations = 0;
  for (int i = 0; i < 3; ++i) {
    allocations = calls_so_far().allocations;
    barrier(world);
    bcast(in.data(), 512, MPI_DOUBLE, 0, world);
    allreduce(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, world);
    scan(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, world);
    gather(in.data(), 512, MPI_DOUBLE, out.data(), 512, MPI_DOUBLE, 0, world);
    Request request = ireduce(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, 0, world);
    request.wait();
    allocations = calls_so_far().allocations - allocations;
  }
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace regroup::range
