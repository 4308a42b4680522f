// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_IN_PLACE: what the caller gives stands where the result will be.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

/// Of pairs (a, b), as x → a·x + b: does not commute.
extern "C" void compose_pairs(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const unsigned*>(left);
  auto* second = static_cast<unsigned*>(right);
  for (int i = 0; i < 2 * *count; i += 2) {
    second[i + 1] = second[i] * first[i + 1] + second[i + 1];
    second[i] *= first[i];
  }
}

class RangeInPlace : public RangeTest {
 protected:
  RangeInPlace() {
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair_);
    MPI_Type_commit(&pair_);
    MPI_Op_create(&compose_pairs, 0, &compose_);
  }
  ~RangeInPlace() override {
    MPI_Op_free(&compose_);
    MPI_Type_free(&pair_);
  }

  static constexpr int count = 3;
  using Numbers = std::vector<unsigned>;

  Numbers own() const {
    Numbers numbers(2 * count);
    for (unsigned i = 0; i < numbers.size(); ++i) {
      numbers[i] = 3 + i + 7 * static_cast<unsigned>(rank);
    }
    return numbers;
  }

  /// test(comm) on every prefix of the world that holds the caller.
  template <class Test>
  void on_every_prefix(Test test) const {
    for (int last = rank; last < size; ++last) test(world.range(0, last));
  }

  MPI_Datatype pair_ = MPI_DATATYPE_NULL;
  MPI_Op compose_ = MPI_OP_NULL;
};

TEST_F(RangeInPlace, SumsAreThoseOfDataElsewhere) {
  on_every_prefix([&](const Comm& comm) {
    const Numbers data = own();
    const auto expect_same = [&](bool significant, auto operation) {
      Numbers expected(data.size());
      operation(data.data(), expected.data());
      Numbers found = data;
      operation(significant ? MPI_IN_PLACE : data.data(), found.data());
      if (significant) {
        EXPECT_EQ(found, expected);
      }
    };
    expect_same(true, [&](const void* from, void* to) {
      allreduce(from, to, count, pair_, compose_, comm);
    });
    expect_same(true,
                [&](const void* from, void* to) { scan(from, to, count, pair_, compose_, comm); });
    for (int root = 0; root < comm.size(); ++root) {
      for (const bool commutes : {false, true}) {
        expect_same(rank == root, [&](const void* from, void* to) {
          reduce(from, to, commutes ? 2 * count : count, commutes ? MPI_UNSIGNED : pair_,
                 commutes ? MPI_SUM : compose_, root, comm);
        });
      }
    }
    // Rank 0 gets nothing, and keeps what it has.
    Numbers expected = data;
    exscan(data.data(), expected.data(), count, pair_, compose_, comm);
    Numbers found = data;
    exscan(MPI_IN_PLACE, found.data(), count, pair_, compose_, comm);
    EXPECT_EQ(found, expected);
  });
}

TEST_F(RangeInPlace, PartsStayWhereTheyAre) {
  on_every_prefix([&](const Comm& comm) {
    const auto fresh = [&] {
      std::vector<int> parts(static_cast<std::size_t>(comm.size()), -1);
      parts[static_cast<std::size_t>(rank)] = 10 + rank;
      return parts;
    };
    std::vector<int> expected;
    for (int r = 0; r < comm.size(); ++r) expected.push_back(10 + r);
    const std::vector<int> ones(expected.size(), 1);
    std::vector<int> places;
    for (int r = 0; r < comm.size(); ++r) places.push_back(r);
    std::vector<int> parts = fresh();
    allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), 1, MPI_INT, comm);
    EXPECT_EQ(parts, expected);
    for (int root = 0; root < comm.size(); ++root) {
      const int mine = 10 + rank;
      const void* from = rank == root ? MPI_IN_PLACE : &mine;
      parts = fresh();
      gather(from, 1, MPI_INT, parts.data(), 1, MPI_INT, root, comm);
      if (rank == root) {
        EXPECT_EQ(parts, expected);
      }
      parts = fresh();
      gatherv(from, 1, MPI_INT, parts.data(), ones.data(), places.data(), MPI_INT, root, comm);
      if (rank == root) {
        EXPECT_EQ(parts, expected);
      }
    }
  });
}

TEST_F(RangeInPlace, PartsAreExchangedAndScatteredWhereTheyAre) {
  on_every_prefix([&](const Comm& comm) {
    const int ranks = comm.size();
    std::vector<int> parts;
    std::vector<int> expected;
    std::vector<int> places;
    for (int r = 0; r < ranks; ++r) {
      parts.push_back(100 * rank + r);
      expected.push_back(100 * r + rank);
      places.push_back(r);
    }
    const std::vector<int> ones(expected.size(), 1);
    const std::vector<int> given = parts;
    alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), 1, MPI_INT, comm);
    EXPECT_EQ(parts, expected);
    parts = given;
    alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, parts.data(), ones.data(),
              places.data(), MPI_INT, comm);
    EXPECT_EQ(parts, expected);

    std::vector<int> gathered(expected.size(), -1);
    gathered[static_cast<std::size_t>(rank)] = 10 + rank;
    allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered.data(), ones.data(), places.data(),
               MPI_INT, comm);
    for (int r = 0; r < ranks; ++r) EXPECT_EQ(gathered[static_cast<std::size_t>(r)], 10 + r);

    for (int root = 0; root < ranks; ++root) {
      int mine = -1;
      void* to = rank == root ? MPI_IN_PLACE : &mine;
      scatter(given.data(), 1, MPI_INT, to, 1, MPI_INT, root, comm);
      EXPECT_EQ(mine, rank == root ? -1 : 100 * root + rank);
      mine = -1;
      scatterv(given.data(), ones.data(), places.data(), MPI_INT, to, 1, MPI_INT, root, comm);
      EXPECT_EQ(mine, rank == root ? -1 : 100 * root + rank);
    }

    // Part r has r + 1 numbers.
    std::vector<int> counts;
    std::vector<int> numbers;
    for (int r = 0; r < ranks; ++r) counts.push_back(r + 1);
    for (int i = 0; i < ranks * (ranks + 1) / 2; ++i) numbers.push_back(i + 1000 * rank);
    const int before = rank * (rank + 1) / 2;
    const int of_ranks = 1000 * ranks * (ranks - 1) / 2;
    std::vector<int> sums = numbers;
    reduce_scatter(MPI_IN_PLACE, sums.data(), counts.data(), MPI_INT, MPI_SUM, comm);
    for (int i = 0; i <= rank; ++i) {
      EXPECT_EQ(sums[static_cast<std::size_t>(i)], ranks * (before + i) + of_ranks);
    }
    sums = numbers;
    reduce_scatter_block(MPI_IN_PLACE, sums.data(), 1, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(sums[0], ranks * rank + of_ranks);
  });
}

// Counts may be gone when the nonblocking form has returned.
TEST_F(RangeInPlace, CountsNeedNotLast) {
  std::vector<int> counts(static_cast<std::size_t>(size), 1);
  std::vector<int> numbers(static_cast<std::size_t>(size), rank);
  int sum = -1;
  Request request = ireduce_scatter(numbers.data(), &sum, counts.data(), MPI_INT, MPI_SUM, world);
  std::ranges::fill(counts, 0);
  request.wait();
  EXPECT_EQ(sum, size * (size - 1) / 2);
}

TEST_F(RangeInPlace, IsRefusedWhereItHasNoMeaning) {
  int number = rank;
  const auto refused = [](auto call) { EXPECT_THROW(call(), std::invalid_argument); };
  refused([&] { bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world); });
  refused([&] { send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, world); });
  refused([&] { recv(MPI_IN_PLACE, 1, MPI_INT, 0, 0, world); });
  refused([&] { allreduce(&number, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world); });
  refused([&] { scan(&number, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world); });
  refused([&] { alltoall(&number, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world); });
  refused([&] { reduce_scatter_block(&number, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world); });
  refused([&] { allgather(&number, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world); });
  if (rank == 0) {
    refused([&] { reduce(&number, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, world); });
    refused([&] { gather(&number, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, world); });
  } else {
    refused([&] { reduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, 0, world); });
    refused([&] { gather(MPI_IN_PLACE, 1, MPI_INT, &number, 1, MPI_INT, 0, world); });
  }
}

}  // namespace
}  // namespace regroup::range
