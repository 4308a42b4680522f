// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#include "tests/main.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {

/// Prints each failure by a single call, so that the output of ranks does not interleave.
class FailureReporter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    fmt::print(stderr, "rank {}: {}:{}: {}\n", world().rank,
               result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(),
               result.message());
  }
};

/// Separates the tests: no process starts a test while another one is still in the previous test.
class Separator : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    world().waiter.blocking([] { MPI_Barrier(MPI_COMM_WORLD); });
  }
};

/// Runs the tests of this program on all processes. Rank 0 prints the results, the other ranks
/// their failures. Returns, on all ranks, whether a test failed on any of them.
inline int run_tests() {
  // An exception that passed through GoogleTest on one rank would leave the others waiting.
  GTEST_FLAG_SET(catch_exceptions, false);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (world().rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailureReporter);
  }
  listeners.Append(new Separator);
  listeners.Append(new NameOnSignal(300));
  int failed = RUN_ALL_TESTS();
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); });
  return failed;
}

}  // namespace regroup
