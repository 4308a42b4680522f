// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::collectives_test {
namespace {

/// x → a·x + b, modulo 2³². Messages have a hole in the middle; composition does not commute.
struct Affine {
  std::uint32_t a;
  std::uint32_t hole;
  std::uint32_t b;
  friend bool operator==(const Affine&, const Affine&) = default;
};

extern "C" void compose(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Affine*>(left);
  auto* second = static_cast<Affine*>(right);
  for (int i = 0; i < *count; ++i) {
    second[i].b = second[i].a * first[i].b + second[i].b;
    second[i].a *= first[i].a;
  }
}

/// A kind of data: its MPI datatype, a reduction operation, and a function that draws an element.
template <class T>
struct Data {
  MPI_Datatype type;
  MPI_Op op;
  T (*draw)(std::mt19937&);
};

/// A range of the world and an MPI communicator of the same processes.
struct Shape {
  Comm range;
  MPI_Comm mpi;
};

class BesideMpi : public RangeTest {
 protected:
  // Adds prefixes of every size, strided ranges, and ranges that do not begin at rank 0.
  BesideMpi() {
    for (int last = 0; last < size; ++last) add(0, last, 1);
    for (int stride = 2; stride <= 3; ++stride) add(0, size - 1, stride);
    add(size / 3, size - 1, 1);
    add(size / 3, size - 1, 2);

    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {offsetof(Affine, a), offsetof(Affine, b)};
    const MPI_Datatype types[] = {MPI_UINT32_T, MPI_UINT32_T};
    MPI_Type_create_struct(2, lengths, places, types, &affine_);
    MPI_Type_commit(&affine_);
    MPI_Op_create(&compose, 0, &compose_);
  }
  ~BesideMpi() override {
    MPI_Op_free(&compose_);
    MPI_Type_free(&affine_);
    for (Shape& shape : shapes_) MPI_Comm_free(&shape.mpi);
  }

  template <class Test>
  void for_every_kind_of_data(Test test) {
    const auto small = [](std::mt19937& random) { return static_cast<int>(random() % 1000); };
    test(Data<int>{MPI_INT, MPI_SUM, small});
    test(Data<int>{MPI_INT, MPI_MAX, small});
    // Integers, so that every order of summation has the same result.
    test(Data<double>{MPI_DOUBLE, MPI_SUM,
                      [](std::mt19937& random) { return static_cast<double>(random() % 1000); }});
    test(Data<Affine>{affine_, compose_, [](std::mt19937& random) {
                        return Affine{static_cast<std::uint32_t>(random()), 7,
                                      static_cast<std::uint32_t>(random())};
                      }});
  }

  // Calls test(range, MPI communicator, count) for all shapes of which the caller is a member.
  template <class Test>
  void for_every_shape(Test test) {
    for (const int count : {0, 1, 7, 3000}) {
      for (const Shape& shape : shapes_) test(shape.range, shape.mpi, count);
    }
  }

  // Returns all roots; for large messages, only the first and the last.
  static std::vector<int> roots(const Comm& range, int count) {
    std::vector<int> roots;
    for (int root = 0; root < range.size(); ++root) {
      if (count < 10 || root == 0 || root == range.size() - 1) roots.push_back(root);
    }
    return roots;
  }

  template <class T>
  std::vector<T> draw(const Data<T>& data, int count) {
    std::vector<T> drawn(static_cast<std::size_t>(count));
    for (T& each : drawn) each = data.draw(random_);
    return drawn;
  }

  std::mt19937 random_{static_cast<unsigned>(rank)};

 private:
  void add(int first, int last, int stride) {
    const Comm range = world.range(first, last, stride);
    if (range.rank() < 0) return;
    MPI_Group all;
    MPI_Group part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int ranges[1][3] = {{first, range.parent_rank(range.size() - 1), stride}};
    MPI_Group_range_incl(all, 1, ranges, &part);
    MPI_Comm comm;
    MPI_Comm_create_group(MPI_COMM_WORLD, part, 0, &comm);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
    shapes_.push_back({range, comm});
  }

  std::vector<Shape> shapes_;
  MPI_Datatype affine_;
  MPI_Op compose_;
};

TEST_F(BesideMpi, CollectivesEqualThoseOfTheMpiLibrary) {
  for_every_kind_of_data([&]<class T>(const Data<T>& kind) {
    for_every_shape([&](const Comm& range, MPI_Comm mpi, int n) {
      const MPI_Datatype type = kind.type;
      const MPI_Op op = kind.op;
      const std::vector<T> mine = draw(kind, n);
      const std::vector<T> untouched = draw(kind, n * range.size());
      const T* in = mine.data();
      const auto expect_same = [&](const char* name, const std::vector<T>& before, auto start_mpis,
                                   auto execute_ours) {
        std::vector<T> expected = before;
        std::vector<T> found = before;
        MPI_Request request;
        start_mpis(expected.data(), &request);
        parent.waiter().wait(request);
        execute_ours(found.data());
        EXPECT_EQ(found, expected) << name << " of " << range.size();
      };

      for (const int root : roots(range, n)) {
        SCOPED_TRACE(root);
        expect_same(
            "bcast", mine,
            [&](T* data, MPI_Request* r) { MPI_Ibcast(data, n, type, root, mpi, r); },
            [&](T* data) { bcast(data, n, type, root, range); });
        expect_same(
            "reduce", untouched,
            [&](T* out, MPI_Request* r) { MPI_Ireduce(in, out, n, type, op, root, mpi, r); },
            [&](T* out) { reduce(in, out, n, type, op, root, range); });
        expect_same(
            "gather", untouched,
            [&](T* out, MPI_Request* r) { MPI_Igather(in, n, type, out, n, type, root, mpi, r); },
            [&](T* out) { gather(in, n, type, out, n, type, root, range); });
      }
      expect_same(
          "allreduce", untouched,
          [&](T* out, MPI_Request* r) { MPI_Iallreduce(in, out, n, type, op, mpi, r); },
          [&](T* out) { allreduce(in, out, n, type, op, range); });
      expect_same(
          "scan", untouched,
          [&](T* out, MPI_Request* r) { MPI_Iscan(in, out, n, type, op, mpi, r); },
          [&](T* out) { scan(in, out, n, type, op, range); });
      expect_same(
          "exscan", untouched,
          [&](T* out, MPI_Request* r) {
            MPI_Iexscan(in, out, n, type, op, mpi, r);
            // In MPI, the result on rank 0 is undefined; ours leaves the buffer unchanged.
            if (range.rank() > 0) return;
            parent.waiter().wait(*r);
            std::ranges::copy(untouched, out);
          },
          [&](T* out) { exscan(in, out, n, type, op, range); });
      expect_same(
          "allgather", untouched,
          [&](T* out, MPI_Request* r) { MPI_Iallgather(in, n, type, out, n, type, mpi, r); },
          [&](T* out) { allgather(in, n, type, out, n, type, range); });

      // Parts grow with the rank, some are empty, and they lie in descending order with gaps.
      std::vector<int> counts;
      std::vector<int> places;
      int end = 0;
      for (int r = 0; r < range.size(); ++r) {
        counts.push_back(r % 3 == 1 ? 0 : n / 100 + r);
        places.push_back(end += counts.back() + 1);
      }
      for (int& place : places) place = end - place;
      const int own = counts[static_cast<std::size_t>(range.rank())];
      const std::vector<T> part = draw(kind, own);
      for (const int root : roots(range, n)) {
        expect_same(
            "gatherv", draw(kind, end),
            [&](T* out, MPI_Request* r) {
              MPI_Igatherv(part.data(), own, type, out, counts.data(), places.data(), type, root,
                           mpi, r);
            },
            [&](T* out) {
              gatherv(part.data(), own, type, out, counts.data(), places.data(), type, root, range);
            });
      }
    });
  });
}

class RangeCollectives : public RangeTest {};

TEST_F(RangeCollectives, ReceiveInAnotherTypeThanWasSent) {
  const std::vector<int> in{rank, -rank, 3 * rank};
  MPI_Datatype triple;
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  std::vector<int> gathered(3 * static_cast<std::size_t>(size));
  std::vector<int> everywhere(3 * static_cast<std::size_t>(size));
  gather(in.data(), 3, MPI_INT, gathered.data(), 1, triple, 0, world);
  allgather(in.data(), 1, triple, everywhere.data(), 3, MPI_INT, world);
  for (int r = 0; r < size; ++r) {
    const auto at = static_cast<std::size_t>(3 * r);
    EXPECT_EQ(everywhere[at + 1], -r);
    if (rank == 0) {
      EXPECT_EQ(gathered[at + 2], 3 * r);
    }
  }
  MPI_Type_free(&triple);
}

// Parts of 2,400 bytes are passed on three per message; the last message has fewer of them.
TEST_F(RangeCollectives, AllgatherBringsPartsInTheTypeThatEachMemberLikes) {
  constexpr int n = 600;
  MPI_Datatype triple;
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  std::vector<int> in(n);
  std::iota(in.begin(), in.end(), n * rank);
  std::vector<int> everywhere(n * static_cast<std::size_t>(size), -1);
  if (rank % 2 == 0) {
    allgather(in.data(), n, MPI_INT, everywhere.data(), n / 3, triple, world);
  } else {
    allgather(in.data(), n / 3, triple, everywhere.data(), n, MPI_INT, world);
  }
  std::vector<int> expected(everywhere.size());
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(everywhere, expected);
  MPI_Type_free(&triple);
}

// No rank leaves before the last one has entered.
TEST_F(RangeCollectives, BarrierWaitsForEverybody) {
  for (int last = 0; last < size; ++last) {
    std::vector<Request> from_late;
    int entered = 0;
    if (rank == last) {
      entered = 1;
      for (int r = 0; r < size; ++r) from_late.push_back(isend(&entered, 1, MPI_INT, r, 1, world));
    }
    barrier(world);
    EXPECT_TRUE(iprobe(last, 1, world));
    int got = 0;
    recv(&got, 1, MPI_INT, last, 1, world);
    waitall(from_late);
  }
}

}  // namespace
}  // namespace regroup::range::collectives_test
