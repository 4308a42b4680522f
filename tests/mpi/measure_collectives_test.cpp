// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "measurements/collective_operations.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/measured.hpp"

namespace regroup::measure_collectives_test {
namespace {

constexpr std::array operations{"bcast",  "reduce",  "allreduce", "scan",   "exscan",
                                "gather", "gatherv", "allgather", "barrier"};

Scenario collectives(std::string operation, std::string communicator, std::string creation,
                     int group_size) {
  return measurement_of("collectives", {{"operation", std::move(operation)},
                                        {"communicator", std::move(communicator)},
                                        {"group_size", std::to_string(group_size)},
                                        {"elements_per_rank", "3"},
                                        {"calls_per_sample", "4"},
                                        {"creation", std::move(creation)},
                                        {"samples", "6"}});
}

TEST(MeasureCollectives, FindsTheFiguresOfEveryOperationByUsAndByMpi) {
  for (const char* operation : operations) {
    for (const char* communicator : {"range", "create_group"}) {
      expect_times(collectives(operation, communicator, "before", world().ranks));
    }
  }
}

TEST(MeasureCollectives, TimesTheCreationOfACommunicatorOfSomeRanksWhoeverMustTakePart) {
  for (const char* communicator : {"range", "create_group", "comm_split"}) {
    for (const char* creation : {"before", "timed"}) {
      const int half = (world().ranks + 1) / 2;
      expect_times(collectives("bcast", communicator, creation, half));
    }
  }
}

TEST(MeasureCollectives, TakesOperationsOnNothing) {
  for (const char* operation : operations) {
    for (const char* communicator : {"range", "create_group"}) {
      Scenario measurement = collectives(operation, communicator, "before", world().ranks);
      measurement.measure.options.set("elements_per_rank", "0");
      expect_times(measurement);
    }
  }
}

TEST(MeasureCollectives, KnowsEveryOperationThatCanBeConfigured) {
  const MeasurementKind& kind = *find_entry(measurement_kinds(), "collectives");
  EXPECT_EQ(kind.options.front().name, "operation");
  EXPECT_THAT(kind.options.front().words, testing::ElementsAreArray(operations));
  for (const char* operation : operations) EXPECT_NO_THROW(collective_operation(operation));
  EXPECT_THROW(collective_operation("alltoall"), std::invalid_argument);
}

/// An operation that does nothing, and says that all is done.
CollectiveOperation idle(std::string_view name) {
  CollectiveOperation operation = collective_operation(name);
  operation.start_ours = [](Buffers&, const Scene&, const range::Comm&) {
    return range::Request();
  };
  return operation;
}

TEST(MeasureCollectives, FindsAWrongResult) {
  Site parent(MPI_COMM_WORLD, world().waiter);
  const GroupComm comm(parent.all());
  const Scene scene{world().rank, world().ranks, world().ranks - 1, 3};
  const bool root = scene.rank == scene.root;
  const auto finds = [&](std::string_view name) {
    try {
      verify(idle(name), scene, comm, parent.waiter());
    } catch (const std::runtime_error&) {
      return true;
    }
    return false;
  };
  EXPECT_EQ(finds("bcast"), !root) << "the root has its own data";
  EXPECT_EQ(finds("exscan"), scene.rank != 0);
  for (const char* name : {"reduce", "gather", "gatherv"}) EXPECT_EQ(finds(name), root);
  for (const char* name : {"allreduce", "scan", "allgather"}) EXPECT_TRUE(finds(name));
}

}  // namespace
}  // namespace regroup::measure_collectives_test
