// SPDX-License-Identifier: BSD-3-Clause
//
// Datatypes that are legal, though few have them: without bytes, and with a negative extent.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

/// A datatype that is freed.
class Type {
 public:
  explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Datatype type_;
};

MPI_Datatype without_bytes() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(0, MPI_INT, &type);
  return type;
}

/// An int; the next one is where the one before the last begins.
MPI_Datatype downwards() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, -2 * static_cast<MPI_Aint>(sizeof(int)), &type);
  return type;
}

constexpr int step = 2;

extern "C" void add_downwards(void* left, void* right, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    static_cast<int*>(right)[-step * i] += static_cast<int*>(left)[-step * i];
  }
}

extern "C" void do_nothing(void*, void*, int*, MPI_Datatype*) {}

using RangeTypes = RangeTest;

TEST_F(RangeTypes, WithoutBytesNeedNoMessages) {
  const Type nothing(without_bytes());
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(&do_nothing, 0, &op);
  const int in = rank;
  int out = -1;
  for (int root = 0; root < std::min(size, 3); ++root) {
    bcast(&out, 3, nothing, root, world);
    reduce(&in, &out, 3, nothing, op, root, world);
    gather(&in, 3, nothing, &out, 3, nothing, root, world);
  }
  allreduce(&in, &out, 3, nothing, op, world);
  scan(&in, &out, 3, nothing, op, world);
  exscan(&in, &out, 3, nothing, op, world);
  allgather(&in, 3, nothing, &out, 3, nothing, world);
  EXPECT_EQ(out, -1);
  MPI_Op_free(&op);
}

// MPI asks for the same number of bytes only.
TEST_F(RangeTypes, WithoutBytesMeetACountOfZero) {
  const Type nothing(without_bytes());
  int out = -1;
  const int count = rank == 0 ? 0 : 3;
  const MPI_Datatype type = rank == 0 ? MPI_INT : static_cast<MPI_Datatype>(nothing);
  bcast(&out, count, type, 0, world);
  gather(&rank, count, type, &out, count, type, size - 1, world);
  allgather(&rank, count, type, &out, count, type, world);
  EXPECT_EQ(out, -1);
  // No message of theirs is left for others.
  std::vector<int> all(static_cast<std::size_t>(size), -1);
  gather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, 0, world);
  for (int r = 0; r < size && rank == 0; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], r);
}

TEST_F(RangeTypes, WithANegativeExtentStayWithinTheirMemory) {
  const Type type(downwards());
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(&add_downwards, 0, &op);
  for (const int count : {1, 5, 1000}) {
    std::vector<int> in(static_cast<std::size_t>(step * count));
    for (int i = 0; i < step * count; ++i) in[static_cast<std::size_t>(i)] = rank + i;
    std::vector<int> out(in.size(), -1);
    const int* from = in.data() + step * (count - 1);
    int* to = out.data() + step * (count - 1);
    const auto expect_sums = [&](int ranks, int sum) {
      for (int i = 0; i < step * count; i += step) {
        EXPECT_EQ(out[static_cast<std::size_t>(i)], sum + ranks * i);
        EXPECT_EQ(out[static_cast<std::size_t>(i) + 1], -1);
      }
      std::ranges::fill(out, -1);
    };
    const int sum = size * (size - 1) / 2;
    allreduce(from, to, count, type, op, world);
    expect_sums(size, sum);
    for (int root = 0; root < size; root += 2) {
      reduce(from, to, count, type, op, root, world);
      if (rank == root) expect_sums(size, sum);
    }
    scan(from, to, count, type, op, world);
    expect_sums(rank + 1, rank * (rank + 1) / 2);
    exscan(from, to, count, type, op, world);
    if (rank > 0) expect_sums(rank, rank * (rank - 1) / 2);
    if (rank == 0) std::ranges::copy(in, out.begin());
    if (rank == 0) {
      for (std::size_t i = 1; i < out.size(); i += step) out[i] = -1;
    }
    bcast(to, count, type, 0, world);
    expect_sums(1, 0);
  }
  MPI_Op_free(&op);
}

TEST_F(RangeTypes, ThatAreNoneAreRefused) {
  int number = rank;
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  const auto refused = [](auto call) { EXPECT_THROW(call(), std::invalid_argument); };
  refused([&] { bcast(&number, 1, none, 0, world); });
  refused([&] { reduce(&number, &number, 1, none, MPI_SUM, 0, world); });
  refused([&] { allreduce(&number, &number, 1, none, MPI_SUM, world); });
  refused([&] { scan(&number, &number, 1, none, MPI_SUM, world); });
  refused([&] { exscan(&number, &number, 1, none, MPI_SUM, world); });
  refused([&] { gather(&number, 1, none, &number, 1, MPI_INT, 0, world); });
  refused([&] { allgather(&number, 1, MPI_INT, &number, 1, none, world); });
  refused([&] { send(&number, 1, none, 0, 0, world); });
  refused([&] { recv(&number, 1, none, 0, 0, world); });
  refused([&] { allreduce(&number, &number, 1, MPI_INT, MPI_OP_NULL, world); });
}

}  // namespace
}  // namespace regroup::range
