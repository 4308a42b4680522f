// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

inline std::vector<int> all_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}
inline std::vector<int> reversed_ranks(int size) {
  std::vector<int> ranks = all_ranks(size);
  std::ranges::reverse(ranks);
  return ranks;
}

/// Returns a waiter that is polite if the ranks of this machine outnumber its cores.
inline Waiter test_waiter() {
  const bool crowded = world_size() > static_cast<int>(std::thread::hardware_concurrency());
  return Waiter(crowded ? Waiting::polite : Waiting::direct, world_size());
}

/// A new Parent of all ranks, which checks for overlaps. Tests do not overlap in time, and no test
/// may leave a message behind.
class RangeTest : public testing::Test {
 protected:
  void TearDown() override {
    barrier(world);
    int left = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &left, MPI_STATUS_IGNORE);
    EXPECT_FALSE(left);
  }

  Parent parent{MPI_COMM_WORLD, test_waiter(), OverlapCheck::on};
  Comm world = parent.all();
  const int size = world.size();
  const int rank = world.rank();
};

}  // namespace regroup::range
