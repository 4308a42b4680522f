// SPDX-License-Identifier: BSD-3-Clause
//
// Nonblocking collectives without tags, and creations, are distinguished by the order in which the
// members of each communicator call them.
#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::call_order_test {
namespace {

using RangeCallOrder = RangeTest;

TEST_F(RangeCallOrder, TellsApartCollectivesOfOneCommunicatorWaitedForInAnyOrder) {
  constexpr int number = 20;
  std::array<int, number> sums{};
  std::array<int, number> mine{};
  std::array<int, number> data{};
  std::vector<Request> requests;
  for (std::size_t i = 0; i < number; ++i) {
    mine[i] = rank + static_cast<int>(i);
    data[i] = rank == 0 ? static_cast<int>(100 + i) : -1;
    requests.push_back(iallreduce(&mine[i], &sums[i], 1, MPI_INT, MPI_SUM, world));
    // The same communicator, created again.
    requests.push_back(ibcast(&data[i], 1, MPI_INT, 0, parent.all().range(0, size - 1)));
    requests.push_back(ibarrier(world));
  }
  if (rank % 2 != 0) std::ranges::reverse(requests);
  for (Request& request : requests) request.wait();
  for (int i = 0; i < number; ++i) {
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], size * (size - 1) / 2 + i * size);
    EXPECT_EQ(data[static_cast<std::size_t>(i)], 100 + i);
  }
}

TEST_F(RangeCallOrder, IsNoneAmongCommunicatorsThatOverlap) {
  if (size < 3) return;
  const Comm pair = world.range(0, 1);
  for (int round = 0; round < 50; ++round) {
    std::array<int, 2> data{rank == 0 ? round : -1, rank == 0 ? 100 + round : -1};
    std::array<Request, 2> requests;
    for (const int i : {0, 1}) {
      const auto which = static_cast<std::size_t>((i + rank + round) % 2);
      const Comm& comm = which == 0 ? world : pair;
      if (comm.rank() < 0) continue;
      requests[which] = ibcast(&data[which], 1, MPI_INT, 0, comm);
      if (rank > 0) requests[which].wait();
    }
    waitall(requests);
    EXPECT_EQ(data[0], round);
    EXPECT_EQ(data[1], rank < 2 ? 100 + round : -1);
  }
}

TEST_F(RangeCallOrder, IsApartFromBlockingCollectivesAndFromTags) {
  for (int round = 0; round < 20; ++round) {
    std::array<int, 4> data{-1, -1, -1, -1};
    if (rank == 0) std::iota(data.begin(), data.end(), round);
    Request early;
    if (rank % 2 == 0) early = ibcast(data.data(), 1, MPI_INT, 0, world);
    Request tagged = ibcast(data.data() + 1, 1, MPI_INT, 0, world, 3);
    bcast(data.data() + 2, 1, MPI_INT, 0, world);
    Request late = ibcast(data.data() + 3, 1, MPI_INT, 0, world.range(0, size - 1), 4);
    if (rank % 2 != 0) early = ibcast(data.data(), 1, MPI_INT, 0, world);
    for (Request* request : {&late, &early, &tagged}) request->wait();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(data[static_cast<std::size_t>(i)], round + i);
  }
}

TEST_F(RangeCallOrder, MatchesABlockingCollectiveThatIsInCallOrder) {
  int number = rank == 0 ? 5 : -1;
  if (rank == 0) {
    ibcast(&number, 1, MPI_INT, 0, world).wait();
  } else {
    bcast(&number, 1, MPI_INT, 0, world, in_call_order);
  }
  EXPECT_EQ(number, 5);
}

TEST_F(RangeCallOrder, HoldsForLongMessagesInPieces) {
  parent.pipeline(true);
  constexpr int n = 60'000;
  std::array<std::vector<double>, 3> data;
  std::vector<Request> requests;
  for (int i = 0; i < 3; ++i) {
    auto& numbers = data[static_cast<std::size_t>(i)];
    numbers.assign(n, rank == i % size ? i + 0.5 : -1);
    requests.push_back(ibcast(numbers.data(), n, MPI_DOUBLE, i % size, world));
  }
  std::vector<double> sums(n, -1);
  const std::vector<double> ones(n, 1);
  requests.push_back(iallreduce(ones.data(), sums.data(), n, MPI_DOUBLE, MPI_SUM, world));
  if (rank % 2 != 0) std::ranges::reverse(requests);
  for (Request& request : requests) request.wait();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::ranges::count(data[static_cast<std::size_t>(i)], i + 0.5), n);
  }
  EXPECT_EQ(std::ranges::count(sums, size), n);
}

// While it looks for another message, the wildcard takes these messages out of MPI's queue.
TEST_F(RangeCallOrder, HoldsForMessagesThatAWildcardHasTakenOutOfTheQueue) {
  if (size < 2 || rank > 1) return;
  const Comm pair = world.range(0, 1);
  constexpr int number = 10;
  constexpr int n = 3000;  // some messages are long
  std::array<std::vector<int>, number> data;
  std::vector<Request> requests;
  const auto start = [&] {
    for (int i = 0; i < number; ++i) {
      auto& numbers = data[static_cast<std::size_t>(i)];
      numbers.assign(n, rank == 0 ? i : -1);
      requests.push_back(ibcast(numbers.data(), i % 2 == 0 ? 1 : n, MPI_INT, 0, pair));
    }
  };
  int ready = 1;
  if (rank == 0) {
    start();
    send(&ready, 1, MPI_INT, 1, 7, pair);
  } else {
    recv(&ready, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, pair);
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, pair));
    start();
  }
  waitall(requests);
  for (int i = 0; i < number; ++i) {
    EXPECT_EQ(data[static_cast<std::size_t>(i)].front(), i);
    EXPECT_EQ(data[static_cast<std::size_t>(i)].back(), i % 2 == 0 && rank == 1 ? -1 : i);
  }
}

/// Two communicators that share the first two ranks, and the index of a collective on each; both
/// collectives have the same tag.
struct Clash {
  Comm one;
  Comm other;
  int of_one = 0;
  int of_other = 0;
};

/// Finds clashes among the first `most` collectives on the world and on the first two ranks.
std::vector<Clash> find_clashes(const Comm& world, int most) {
  std::vector<Clash> found;
  CreationLog log;
  const Comm pair = world.range(0, 1);
  const auto labels = [&](const Comm& comm) {
    std::vector<int> tags;
    for (int i = 0; i < most; ++i) {
      tags.push_back(numbered_label(comm, log.next_collective(comm.context())).tag);
    }
    return tags;
  };
  const std::vector<int> of_one = labels(world);
  const std::vector<int> of_other = labels(pair);
  int next_of_one = 0;
  int next_of_other = 0;
  for (int steps = 0; std::max(next_of_one, next_of_other) + steps < most; ++steps) {
    for (int i = 0; i <= steps; ++i) {
      const int one = next_of_one + i;
      const int other = next_of_other + steps - i;
      if (of_one[static_cast<std::size_t>(one)] != of_other[static_cast<std::size_t>(other)]) {
        continue;
      }
      found.push_back({world, pair, one, other});
      next_of_one = one + 1;
      next_of_other = other + 1;
      steps = -1;
      break;
    }
  }
  return found;
}

// Rank 1 starts the two collectives in the opposite order of rank 0: it completes the first before
// it starts the second, or starts both before the first message arrives.
TEST_F(RangeCallOrder, TellsApartCollectivesWhoseTagsAreTheSame) {
  if (size < 3) return;
  const std::vector<Clash> clashes = find_clashes(world, 600);
  EXPECT_GE(clashes.size(), 8U);
  int done_of_one = 0;
  int done_of_other = 0;
  unsigned round = 0;
  for (const Clash& clash : clashes) {
    for (; done_of_one < clash.of_one; ++done_of_one) ibarrier(clash.one).wait();
    for (; done_of_other < clash.of_other; ++done_of_other) {
      if (clash.other.rank() >= 0) ibarrier(clash.other).wait();
    }
    ++done_of_one;
    ++done_of_other;
    // In some rounds a collective is long: its data follow in a separate message.
    constexpr int n = 5000;
    const int of_other = round % 4 < 2 ? 1 : n;
    const int of_one = round % 8 < 4 ? 1 : n;
    std::vector<int> one(n, rank == 0 ? 11 : -1);
    std::vector<int> other(n, rank == 0 ? 22 : -1);
    Request of_all;
    Request of_pair;
    const auto begin_one = [&] { of_all = ibcast(one.data(), of_one, MPI_INT, 0, clash.one); };
    const auto begin_other = [&] {
      if (clash.other.rank() < 0) return;
      of_pair = ibcast(other.data(), of_other, MPI_INT, 0, clash.other);
    };
    if (rank == 1 && round % 2 == 0) {
      begin_other();
      of_pair.wait();
      EXPECT_EQ(other[0], 22);
      begin_one();
    } else if (rank == 1) {
      begin_other();
      begin_one();
      barrier(clash.other);
    } else {
      if (rank == 0 && round % 2 != 0) barrier(clash.other);
      begin_one();
      begin_other();
    }
    of_all.wait();
    of_pair.wait();
    EXPECT_EQ(std::ranges::count(one, 11), rank == 0 ? n : of_one) << round;
    if (rank < 2) {
      EXPECT_EQ(std::ranges::count(other, 22), rank == 0 ? n : of_other) << round;
    }
    ++round;
  }
}

using RangeCallOrderErrors = RangeCallOrder;

TEST_F(RangeCallOrderErrors, AreThoseOfTheirOperation) {
  if (size < 2 || rank > 1) return;
  const Comm pair = world.range(0, 1);
  for (const int count : {2, 5000}) {
    std::vector<int> numbers(static_cast<std::size_t>(count), rank);
    int later = rank == 0 ? 9 : -1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    Request too_long = ibcast(numbers.data(), rank == 0 ? count : 1, MPI_INT, 0, pair);
    Request other = ibcast(&later, 1, MPI_INT, 0, pair);
    other.wait();
    EXPECT_EQ(later, 9);
    if (rank == 0) {
      too_long.wait();
    } else {
      try {
        too_long.wait();
        ADD_FAILURE() << "a message that is too long was received";
      } catch (const MpiError& error) {
        EXPECT_EQ(error.error_class(), MPI_ERR_TRUNCATE);
      }
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }
}

// Rank 1's gather fails, as its buffer is too small for rank 0's part, while it waits for rank 2's
// part, which only the test receives then.
TEST_F(RangeCallOrderErrors, EndTheReceivesOfTheirOperation) {
  if (size < 3 || rank > 2) return;
  const Comm three = world.range(0, 2);
  std::array<int, 2> numbers{rank, rank};
  if (rank == 1) {
    std::vector<int> parts(3, -1);
    Request failing = igather(numbers.data(), 1, MPI_INT, parts.data(), 1, MPI_INT, 1, three);
    EXPECT_THROW(failing.wait(), MpiError);
    barrier(three, 1);
    Request next = ibarrier(three);
    next.wait();
    barrier(three, 1);
    EXPECT_EQ(parts[2], -1);
    std::array<std::byte, 100> message;
    MPI_Recv(message.data(), 100, MPI_BYTE, 2, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (rank == 2) barrier(three, 1);
    Request giving =
        igather(numbers.data(), rank == 0 ? 2 : 1, MPI_INT, nullptr, 0, MPI_INT, 1, three);
    giving.wait();
    if (rank == 0) barrier(three, 1);
    Request next = ibarrier(three);
    next.wait();
    barrier(three, 1);
  }
}

TEST_F(RangeCallOrder, TellsApartCreationsWithOneTag) {
  // The groups differ, since creations of the same group keep their order.
  std::vector<std::vector<int>> groups;
  for (int begin = 0; begin < size; ++begin) {
    std::vector<int> ranks = all_ranks(size);
    std::ranges::rotate(ranks, ranks.begin() + begin);
    for (int members = size; members > size / 2; --members) {
      ranks.resize(static_cast<std::size_t>(members));
      groups.push_back(ranks);
    }
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(static_cast<unsigned>(rank));
  std::ranges::shuffle(order, random);
  std::vector<std::pair<std::size_t, GroupCreation>> creations;
  for (const std::size_t i : order) {
    if (std::ranges::find(groups[i], rank) == groups[i].end()) continue;
    creations.emplace_back(i, icreate_group(world, groups[i], 0));
  }
  std::ranges::shuffle(creations, random);
  for (auto& [group, creation] : creations) creation.wait();
  std::ranges::sort(creations, {}, [](const auto& made) { return made.first; });
  for (auto& [group, creation] : creations) {
    std::vector<int> found(groups[group].size());
    allgather(&rank, 1, MPI_INT, found.data(), 1, MPI_INT, creation.comm());
    EXPECT_EQ(found, groups[group]);
  }
  barrier(world);
}

TEST_F(RangeCallOrder, OfShortCollectivesAllocatesNothingOnceWarm) {
  std::vector<double> in(512, rank);
  std::vector<double> out(512 * static_cast<std::size_t>(size));
  // The number of messages under way at a time depends on timing.
  long fewest = 1000;
  for (int i = 0; i < 20; ++i) {
    const long before = calls_so_far().allocations;
    std::array requests{ibarrier(world), ibcast(in.data(), 512, MPI_DOUBLE, 0, world),
                        iallreduce(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, world),
                        igather(in.data(), 512, MPI_DOUBLE, out.data(), 512, MPI_DOUBLE, 0, world)};
    for (Request& request : requests) request.wait();
    fewest = std::min(fewest, calls_so_far().allocations - before);
    barrier(world);
  }
  EXPECT_EQ(fewest, 0);
}

}  // namespace
}  // namespace regroup::range::call_order_test
