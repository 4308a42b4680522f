// SPDX-License-Identifier: BSD-3-Clause
//
// An error belongs to the operation that it happened to, and to nobody else.
#include <algorithm>
#include <array>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

/// Errors come back, and the first two ranks take part: rank 0 sends two numbers to receives of
/// one.
class RangeErrors : public RangeTest {
 protected:
  RangeErrors() { handle(MPI_ERRORS_RETURN); }
  ~RangeErrors() override { handle(MPI_ERRORS_ARE_FATAL); }

  static void handle(MPI_Errhandler handler) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  }

  bool takes_part() const { return size >= 2 && rank < 2; }

  void send_two(int tag) { send(two_.data(), 2, MPI_INT, 1, tag, world); }
  void send_one(int tag) { send(two_.data(), 1, MPI_INT, 1, tag, world); }

 private:
  std::array<int, 2> two_{1, 2};
};

TEST_F(RangeErrors, OfOneRequestAreNotThoseOfAnother) {
  if (!takes_part()) return;
  for (const int source : {0, MPI_ANY_SOURCE}) {
    if (rank == 0) {
      send_two(1);
      send_one(2);
      barrier(world.range(0, 1));
      continue;
    }
    std::array<int, 2> in{-1, -1};
    Request short_one = irecv(in.data(), 1, MPI_INT, source, 1, world.range(0, 1));
    Request other = irecv(in.data() + 1, 1, MPI_INT, 0, 2, world);
    EXPECT_NO_THROW(other.wait());
    EXPECT_EQ(in[1], 1);
    EXPECT_NO_THROW(barrier(world.range(0, 1)));
    EXPECT_THROW(short_one.wait(), MpiError);
    EXPECT_FALSE(short_one);
    EXPECT_NO_THROW(short_one.wait());
  }
}

TEST_F(RangeErrors, AreFoundByTests) {
  if (!takes_part()) return;
  if (rank == 0) {
    send_two(1);
  } else {
    int in = -1;
    Request request = irecv(&in, 1, MPI_INT, 0, 1, world);
    EXPECT_THROW(while (!request.test()){}, MpiError);
    EXPECT_FALSE(request);
  }
}

TEST_F(RangeErrors, OfOneOfManyLeaveTheOthersComplete) {
  if (!takes_part()) return;
  for (const bool waits : {true, false}) {
    if (rank == 0) {
      for (int tag = 0; tag < 5; ++tag) tag == 2 ? send_two(tag) : send_one(tag);
      continue;
    }
    std::array<int, 5> in{};
    std::vector<Request> requests;
    for (int tag = 0; tag < 5; ++tag) {
      requests.push_back(irecv(&in[static_cast<std::size_t>(tag)], 1, MPI_INT, 0, tag, world));
    }
    if (waits) {
      EXPECT_THROW(waitall(requests), MpiError);
    } else {
      EXPECT_THROW(while (!testall(requests)){}, MpiError);
    }
    EXPECT_TRUE(std::ranges::none_of(requests, [](const Request& r) { return bool{r}; }));
    for (const std::size_t tag : {0U, 1U, 3U, 4U}) EXPECT_EQ(in[tag], 1);
  }
}

TEST_F(RangeErrors, OfARequestThatIsDroppedAreLost) {
  if (!takes_part()) return;
  if (rank == 0) {
    send_two(1);
    send_two(2);
  } else {
    int in = -1;
    Request assigned_to = irecv(&in, 1, MPI_INT, 0, 1, world);
    assigned_to = Request();
    const Request dropped = irecv(&in, 1, MPI_INT, 0, 2, world);
  }
}

// The blocking broadcast fails on rank 1, which has a receive of another communication under way.
TEST_F(RangeErrors, OfABlockingOperationAreThrownByIt) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  std::array<int, 2> numbers{1, 2};
  if (rank == 0) {
    bcast(numbers.data(), 2, MPI_INT, 0, pair);
    send_one(2);
    barrier(pair);
  } else {
    int later = -1;
    Request other = irecv(&later, 1, MPI_INT, 0, 2, pair);
    EXPECT_THROW(bcast(numbers.data(), 1, MPI_INT, 0, pair), MpiError);
    EXPECT_NO_THROW(other.wait());
    EXPECT_EQ(later, 1);
    EXPECT_NO_THROW(barrier(pair));
  }
}

// Rank 1's gather fails for want of room for rank 0's part, while it waits for rank 2's. Its tag is
// no other's: what rank 2 sends stays.
TEST_F(RangeErrors, EndTheReceivesOfTheirOperation) {
  if (size < 3 || rank > 2) return;
  const Comm three = world.range(0, 2);
  std::array<int, 2> numbers{rank, rank};
  if (rank == 0) {
    gather(numbers.data(), 2, MPI_INT, nullptr, 0, MPI_INT, 1, three, 99);
    barrier(three.range(0, 1));
  } else if (rank == 1) {
    std::vector<int> parts(3, -1);
    EXPECT_THROW(gather(numbers.data(), 1, MPI_INT, parts.data(), 1, MPI_INT, 1, three, 99),
                 MpiError);
    const std::vector<int> as_left = parts;
    EXPECT_EQ(parts[2], -1);
    barrier(three.range(0, 1));
    barrier(three.range(1, 2), 1);
    barrier(three.range(1, 2), 1);
    EXPECT_EQ(parts, as_left);
    // Its message was for the operation that has failed.
    recv(parts.data(), 1, MPI_INT, 2, 5, three);
  } else {
    barrier(three.range(1, 2), 1);
    Request late = igather(numbers.data(), 1, MPI_INT, nullptr, 0, MPI_INT, 1, three, 99);
    send(numbers.data(), 1, MPI_INT, 1, 5, three);
    barrier(three.range(1, 2), 1);
  }
}

TEST_F(RangeErrors, OfCopiesWithinAProcessComeBack) {
  if (rank > 0) return;
  const Comm alone = world.range(0, 0);
  std::array<int, 2> numbers{1, 2};
  int result = 0;
  EXPECT_THROW(gather(numbers.data(), 2, MPI_INT, &result, 1, MPI_INT, 0, alone), MpiError);
}

}  // namespace
}  // namespace regroup::range
