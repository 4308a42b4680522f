// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "communicators/range/pipeline.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::in_place_test {
namespace {

// MPI_IN_PLACE: the input is stored where the result will be.

using RangeInPlace = RangeTest;

// The random collectives cover the other collectives.
TEST_F(RangeInPlace, PartsAreExchangedAndScatteredWhereTheyAre) {
  for (int last = rank; last < size; ++last) {
    const Comm comm = world.range(0, last);
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
  }
}

// The counts may be changed once the nonblocking call has returned.
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

// Messages that are long enough to be sent in pieces.

/// x → a·x + b, modulo 2³²; composition does not commute. An element has a hole at its end.
struct Affine {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t hole;
  friend bool operator==(const Affine&, const Affine&) = default;
};

extern "C" void compose_affine(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Affine*>(left);
  auto* second = static_cast<Affine*>(right);
  for (int i = 0; i < *count; ++i) {
    second[i].b = second[i].a * first[i].b + second[i].b;
    second[i].a *= first[i].a;
  }
}

/// 281,608 bytes: several pieces, the last of which is short.
constexpr int elements = 35'201;

class LongRange : public RangeTest {
 protected:
  LongRange() {
    parent.pipeline(true);
    const MPI_Aint places[] = {offsetof(Affine, a), offsetof(Affine, b)};
    const int lengths[] = {1, 1};
    const MPI_Datatype types[] = {MPI_UINT32_T, MPI_UINT32_T};
    MPI_Datatype both = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &both);
    MPI_Type_create_resized(both, 0, sizeof(Affine), &affine_);
    MPI_Type_commit(&affine_);
    MPI_Type_free(&both);
    MPI_Op_create(&compose_affine, 0, &compose_);
  }
  ~LongRange() override {
    MPI_Op_free(&compose_);
    MPI_Type_free(&affine_);
  }

  static std::vector<Affine> data_of(int rank) {
    std::vector<Affine> data;
    for (std::uint32_t i = 0; i < elements; ++i) {
      const auto r = static_cast<std::uint32_t>(rank);
      data.push_back({2 * (i * 31 + r * 17) + 1, i * 7 + r * 1001, 0});
    }
    return data;
  }

  static std::vector<Affine> composed(int ranks) {
    std::vector<Affine> all = data_of(0);
    for (int rank = 1; rank < ranks; ++rank) {
      std::vector<Affine> next = data_of(rank);
      int count = elements;
      compose_affine(all.data(), next.data(), &count, nullptr);
      all = next;
    }
    return all;
  }

  MPI_Datatype affine_ = MPI_DATATYPE_NULL;
  MPI_Op compose_ = MPI_OP_NULL;
};

TEST_F(LongRange, MessagesOfTheseTestsGoInPieces) {
  EXPECT_EQ(is_pipelined(8LL * elements, world), size >= 5);
  parent.pipeline(false);
  EXPECT_FALSE(is_pipelined(8LL * elements, world));
  const Parent fresh(MPI_COMM_WORLD, test_waiter());
  EXPECT_EQ(fresh.pipelines(), test_waiter().how() == Waiting::direct);
}

TEST_F(LongRange, BroadcastReachesMembersWithOtherDatatypes) {
  for (int root = 0; root < size; ++root) {
    // On odd ranks except the root, the numbers are contiguous; on other ranks they have holes.
    std::vector<Affine> with_holes(elements);
    std::vector<std::uint32_t> close(2 * elements);
    if (rank == root) with_holes = data_of(root);
    if (rank != root && rank % 2 == 1) {
      bcast(close.data(), 2 * elements, MPI_UINT32_T, root, world);
      for (std::size_t i = 0; i < elements; ++i) {
        with_holes[i].a = close[2 * i];
        with_holes[i].b = close[2 * i + 1];
      }
    } else {
      bcast(with_holes.data(), elements, affine_, root, world);
    }
    EXPECT_EQ(with_holes, data_of(root)) << "from " << root;
  }
}

TEST_F(LongRange, ReductionKeepsTheOrderOfRanks) {
  const std::vector<Affine> expected = composed(size);
  const std::vector<Affine> mine = data_of(rank);
  for (int root = 0; root < size; ++root) {
    std::vector<Affine> result(elements);
    reduce(mine.data(), result.data(), elements, affine_, compose_, root, world);
    EXPECT_EQ(result, rank == root ? expected : std::vector<Affine>(elements)) << "to " << root;
    result = mine;
    reduce(rank == root ? MPI_IN_PLACE : result.data(), result.data(), elements, affine_, compose_,
           root, world);
    EXPECT_EQ(result, rank == root ? expected : mine) << "in place, to " << root;
  }
  std::vector<Affine> result(elements);
  allreduce(mine.data(), result.data(), elements, affine_, compose_, world);
  EXPECT_EQ(result, expected);
  result = mine;
  allreduce(MPI_IN_PLACE, result.data(), elements, affine_, compose_, world);
  EXPECT_EQ(result, expected);
}

TEST_F(LongRange, SeveralAreUnderWayAtOnce) {
  std::vector<Affine> first = data_of(rank);
  std::vector<Affine> second = data_of(rank);
  std::vector<double> numbers(elements, rank);
  std::vector<double> sums(elements);
  std::vector<double> sums_of_all(elements);
  std::vector<Request> requests;
  requests.push_back(ibcast(first.data(), elements, affine_, 0, world, 1));
  requests.push_back(ibcast(second.data(), elements, affine_, size - 1, world, 2));
  requests.push_back(
      ireduce(numbers.data(), sums.data(), elements, MPI_DOUBLE, MPI_SUM, size / 2, world));
  requests.push_back(
      iallreduce(numbers.data(), sums_of_all.data(), elements, MPI_DOUBLE, MPI_SUM, world));
  waitall(requests);
  EXPECT_EQ(first, data_of(0));
  EXPECT_EQ(second, data_of(size - 1));
  const double sum = 0.5 * size * (size - 1);
  EXPECT_EQ(sums, std::vector<double>(elements, rank == size / 2 ? sum : 0));
  EXPECT_EQ(sums_of_all, std::vector<double>(elements, sum));
}

}  // namespace
}  // namespace regroup::range::in_place_test
