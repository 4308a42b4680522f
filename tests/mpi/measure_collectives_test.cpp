// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "measurements/collectives.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/measured.hpp"
#include "tests/outside/operation_example.cpp"

namespace regroup::measure_collectives_test {
namespace {

/// Returns the operations of the table, and one defined by a user.
std::vector<CollectiveOperation> operations() {
  const auto rows = collective_operations();
  std::vector<CollectiveOperation> all(rows.begin(), rows.end());
  all.push_back(flat_bcast_row);
  return all;
}

Measurement collectives(std::string operation, std::string communicator, std::string creation,
                        int group_size) {
  return measurement_of("collectives", {{"operation", std::move(operation)},
                                        {"communicator", std::move(communicator)},
                                        {"group_size", std::to_string(group_size)},
                                        {"bytes", "24"},
                                        {"calls_per_sample", "4"},
                                        {"creation", std::move(creation)},
                                        {"samples", "6"}});
}

const std::vector<std::string> over_ranks{"mean_rank_s", "fastest_rank_s"};

/// Checks the results of `operation` on `comm` for several sizes and each root.
void expect_right(const CollectiveOperation& operation, const GroupComm& comm,
                  const Waiter& waiter) {
  for (const std::int64_t bytes : {0, 1, 8, 100, 4096, 20'000}) {
    OwnedCall call(operation, comm, waiter, bytes);
    for (int root = 0; root < comm.size(); ++root) {
      EXPECT_NO_THROW(call.verify(root)) << operation.name << " of " << bytes << " bytes";
    }
  }
}

TEST(CollectiveOperations, GiveTheRightResultsOnCommunicatorsOfBothKinds) {
  Site parent(MPI_COMM_WORLD, world().waiter);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const GroupComm on_range(parent.all());
  const GroupComm in_mpi(CommHandle(copy, parent.communicators()));
  for (const CollectiveOperation& operation : operations()) {
    expect_right(operation, on_range, parent.waiter());
    expect_right(operation, in_mpi, parent.waiter());
  }
}

TEST(CollectiveOperations, HaveNamesAndHelpOfTheirOwn) {
  std::set<std::string_view> names;
  for (const CollectiveOperation& operation : operations()) {
    EXPECT_TRUE(names.insert(operation.name).second) << operation.name;
    EXPECT_FALSE(operation.help.empty()) << operation.name;
  }
}

/// An undetected wrong operation would be measured.
TEST(CollectiveOperations, ThatDoNothingAreFoundOut) {
  Site parent(MPI_COMM_WORLD, world().waiter);
  const GroupComm comm(parent.all());
  const int root = world().ranks - 1;
  for (CollectiveOperation operation : operations()) {
    operation.execute = [](const CollectiveCall&) {};
    const bool receives = operation.result != BufferParts::none &&
                          operation.expected({world().rank, world().ranks, root}, 0, 0).has_value();
    for (const std::int64_t bytes : {3, 24}) {
      OwnedCall call(operation, comm, parent.waiter(), bytes);
      if (receives) {
        EXPECT_THROW(call.verify(root), std::runtime_error) << operation.name;
      } else {
        EXPECT_NO_THROW(call.verify(root)) << operation.name;
      }
    }
  }
}

TEST(MeasureCollectives, FindsTheFiguresOfEveryOperationByUsAndByMpi) {
  for (const CollectiveOperation& operation : operations()) {
    for (const char* communicator : {"range", "create_group"}) {
      Measurement measurement = collectives("bcast", communicator, "before", world().ranks);
      measurement.operation = &operation;
      std::vector<std::string> others = over_ranks;
      if (operation.rated_parts > 0) others.emplace_back("mb_per_s");
      const Outcome outcome = expect_times(measurement, others);
      if (world().rank != 0) continue;
      const auto& samples = outcome.samples;
      ASSERT_EQ(samples.at("time_s").size(), 6u);
      for (std::size_t i = 0; i < 6; ++i) {
        const double fastest = samples.at("fastest_rank_s")[i].value_s;
        const double mean = samples.at("mean_rank_s")[i].value_s;
        EXPECT_GT(fastest, 0);
        EXPECT_LE(fastest, mean * 1.000001);
        EXPECT_LE(mean, samples.at("time_s")[i].value_s * 1.000001);
      }
    }
  }
}

TEST(MeasureCollectives, TimesTheCreationOfACommunicatorOfSomeRanksWhoeverMustTakePart) {
  for (const char* communicator : {"range", "create_group", "comm_split"}) {
    for (const char* creation : {"before", "timed"}) {
      const int half = (world().ranks + 1) / 2;
      expect_times(collectives("bcast", communicator, creation, half), over_ranks);
    }
  }
}

TEST(MeasureCollectives, HasTheRateOfMessages) {
  const Outcome outcome =
      measure(collectives("bandwidth", "create_group", "before", world().ranks));
  if (world().rank != 0) return;
  const double per_call_s = outcome.figures.at("time_median_s");
  EXPECT_NEAR(outcome.figures.at("mb_per_s"), 1e-6 * 24 * 64 / per_call_s, 1e-6);
}

}  // namespace
}  // namespace regroup::measure_collectives_test
