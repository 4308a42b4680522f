// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::types_test {
namespace {

// Datatypes that are legal but rare: empty ones, and those with a negative extent.

/// Owns a committed datatype.
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

/// Returns a datatype of an int whose next element begins two ints before it.
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

// MPI requires only equal numbers of bytes.
TEST_F(RangeTypes, WithoutBytesMeetACountOfZero) {
  const Type nothing(without_bytes());
  int out = -1;
  const int count = rank == 0 ? 0 : 3;
  const MPI_Datatype type = rank == 0 ? MPI_INT : static_cast<MPI_Datatype>(nothing);
  bcast(&out, count, type, 0, world);
  gather(&rank, count, type, &out, count, type, size - 1, world);
  allgather(&rank, count, type, &out, count, type, world);
  EXPECT_EQ(out, -1);
  // These operations leave no message for others.
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

// An error is reported by the operation in which it occurred, and by no other.

/// MPI returns errors, and the first two ranks take part: rank 0 sends two numbers to receives of
/// one number.
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
    try {
      short_one.wait();
      ADD_FAILURE() << "a message that is too long was received";
    } catch (const MpiError& error) {
      EXPECT_EQ(error.error_class(), MPI_ERR_TRUNCATE);
    }
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

// The blocking broadcast fails on rank 1, which has an unrelated receive under way.
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

// Rank 1's gather fails, as its buffer is too small for rank 0's part, while it waits for rank 2's
// part. No other operation has its tag: rank 2's message stays until the test receives it.
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
    // Rank 2's part for the failed operation is still there after a later message.
    recv(parts.data(), 1, MPI_INT, 2, 5, three);
    MPI_Recv(parts.data(), 1, MPI_INT, 2, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_EQ(parts[0], 2);
  } else {
    barrier(three.range(1, 2), 1);
    Request late = igather(numbers.data(), 1, MPI_INT, nullptr, 0, MPI_INT, 1, three, 99);
    send(numbers.data(), 1, MPI_INT, 1, 5, three);
    barrier(three.range(1, 2), 1);
  }
}

// A gather that copies between datatypes must not take a message that the user sends to itself.
TEST_F(RangeTest, CopiesWithinAProcessTakeNoMessageOfTheUser) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  const std::array<int, 5> data{rank, -1, rank + 1, -1, rank + 2};
  std::vector<int> all(static_cast<std::size_t>(3 * size), -1);
  const int mine = 77;
  MPI_Request sending = MPI_REQUEST_NULL;
  MPI_Isend(&mine, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &sending);
  gather(data.data(), 1, every_other, all.data(), 3, MPI_INT, 0, world);
  int received = -1;
  MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
  EXPECT_EQ(received, 77);
  for (int i = 0; rank == 0 && i < 3 * size; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)], i / 3 + i % 3);
  }
  MPI_Type_free(&every_other);
}

// More than is copied at once, between types whose elements end at different places.
TEST_F(RangeTest, LongCopiesWithinAProcessKeepTheOrderOfTheirElements) {
  constexpr int threes = 40'000;
  constexpr int fives = 24'000;
  MPI_Datatype three = MPI_DATATYPE_NULL;
  MPI_Datatype five = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &three);
  MPI_Type_vector(5, 1, 3, MPI_INT, &five);
  for (MPI_Datatype* type : {&three, &five}) MPI_Type_commit(type);
  std::vector<int> from(5 * threes, -1);
  for (int i = 0; i < 3 * threes; ++i) {
    from[static_cast<std::size_t>(5 * (i / 3) + 2 * (i % 3))] = i;
  }
  std::vector<int> to(13 * fives, -1);
  gather(from.data(), threes, three, to.data(), fives, five, 0, world.range(rank, rank));
  int wrong = 0;
  for (int i = 0; i < 5 * fives; ++i) {
    wrong += to[static_cast<std::size_t>(13 * (i / 5) + 3 * (i % 5))] != i;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::ranges::count(to, -1), 8 * fives);
  for (MPI_Datatype* type : {&three, &five}) MPI_Type_free(type);
}

TEST_F(RangeErrors, OfCopiesWithinAProcessComeBack) {
  if (rank > 0) return;
  const Comm alone = world.range(0, 0);
  std::array<int, 2> numbers{1, 2};
  int result = 0;
  EXPECT_THROW(gather(numbers.data(), 2, MPI_INT, &result, 1, MPI_INT, 0, alone), MpiError);
}

}  // namespace
}  // namespace regroup::range::types_test
