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

/// x → a·x + b, modulo 2³². As a message it has a hole in the middle; composing does not commute.
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

/// One kind of data: how MPI calls it, what is done with it, and a random element.
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
  // Every size as a prefix of the world, strided ranges, and one that begins elsewhere.
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
    // Whole numbers, so that every order of summation has the same result.
    test(Data<double>{MPI_DOUBLE, MPI_SUM,
                      [](std::mt19937& random) { return static_cast<double>(random() % 1000); }});
    test(Data<Affine>{affine_, compose_, [](std::mt19937& random) {
                        return Affine{static_cast<std::uint32_t>(random()), 7,
                                      static_cast<std::uint32_t>(random())};
                      }});
  }

  // test(range, MPI communicator, count): shapes that the caller is a member of.
  template <class Test>
  void for_every_shape(Test test) {
    for (const int count : {0, 1, 7, 3000}) {
      for (const Shape& shape : shapes_) test(shape.range, shape.mpi, count);
    }
  }

  // Of large messages, two roots are enough.
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

  void finish(MPI_Request request) const { parent.waiter().wait(request); }

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
      const std::vector<T> in = draw(kind, n);
      const std::vector<T> untouched = draw(kind, n * range.size());
      std::vector<T> expected;
      std::vector<T> found;
      MPI_Request request;

      for (const int root : roots(range, n)) {
        expected = found = in;
        MPI_Ibcast(expected.data(), n, kind.type, root, mpi, &request);
        finish(request);
        bcast(found.data(), n, kind.type, root, range);
        EXPECT_EQ(found, expected) << "bcast from " << root << " of " << range.size();

        expected = found = untouched;
        MPI_Ireduce(in.data(), expected.data(), n, kind.type, kind.op, root, mpi, &request);
        finish(request);
        reduce(in.data(), found.data(), n, kind.type, kind.op, root, range);
        EXPECT_EQ(found, expected) << "reduce to " << root << " of " << range.size();

        expected = found = untouched;
        MPI_Igather(in.data(), n, kind.type, expected.data(), n, kind.type, root, mpi, &request);
        finish(request);
        gather(in.data(), n, kind.type, found.data(), n, kind.type, root, range);
        EXPECT_EQ(found, expected) << "gather to " << root << " of " << range.size();
      }

      expected = found = untouched;
      MPI_Iallreduce(in.data(), expected.data(), n, kind.type, kind.op, mpi, &request);
      finish(request);
      allreduce(in.data(), found.data(), n, kind.type, kind.op, range);
      EXPECT_EQ(found, expected) << "allreduce of " << range.size();

      expected = found = untouched;
      MPI_Iscan(in.data(), expected.data(), n, kind.type, kind.op, mpi, &request);
      finish(request);
      scan(in.data(), found.data(), n, kind.type, kind.op, range);
      EXPECT_EQ(found, expected) << "scan of " << range.size();

      expected = found = untouched;
      MPI_Iexscan(in.data(), expected.data(), n, kind.type, kind.op, mpi, &request);
      finish(request);
      exscan(in.data(), found.data(), n, kind.type, kind.op, range);
      if (range.rank() > 0) {
        EXPECT_EQ(found, expected) << "exscan of " << range.size();
      } else {
        EXPECT_EQ(found, untouched);
      }

      expected = found = untouched;
      MPI_Iallgather(in.data(), n, kind.type, expected.data(), n, kind.type, mpi, &request);
      finish(request);
      allgather(in.data(), n, kind.type, found.data(), n, kind.type, range);
      EXPECT_EQ(found, expected) << "allgather of " << range.size();
    });
  });
}

TEST_F(BesideMpi, GathervPutsPartsOfDifferentSizesInTheirPlaces) {
  for_every_kind_of_data([&]<class T>(const Data<T>& kind) {
    for_every_shape([&](const Comm& range, MPI_Comm mpi, int n) {
      // Parts grow with the rank, some are empty, and the first comes last with gaps between.
      std::vector<int> counts;
      std::vector<int> places;
      int end = 0;
      for (int r = 0; r < range.size(); ++r) counts.push_back(r % 3 == 1 ? 0 : n / 100 + r);
      for (int r = 0; r < range.size(); ++r)
        places.push_back(end += counts[static_cast<std::size_t>(r)] + 1);
      for (int& place : places) place = end - place;
      const int mine = counts[static_cast<std::size_t>(range.rank())];
      const std::vector<T> in = draw(kind, mine);
      const std::vector<T> untouched = draw(kind, end);
      for (const int root : roots(range, n)) {
        std::vector<T> expected = untouched;
        std::vector<T> found = untouched;
        MPI_Request request;
        MPI_Igatherv(in.data(), mine, kind.type, expected.data(), counts.data(), places.data(),
                     kind.type, root, mpi, &request);
        finish(request);
        gatherv(in.data(), mine, kind.type, found.data(), counts.data(), places.data(), kind.type,
                root, range);
        EXPECT_EQ(found, expected) << "gatherv to " << root << " of " << range.size();
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

// Parts of 2,400 bytes go on in messages of three; the last message has fewer of them.
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

TEST_F(RangeCollectives, AllStartedTogetherWithoutBlockingEndAsIfOneByOne) {
  constexpr int n = 7;
  const std::vector<int> in(n, rank + 1);
  std::vector<int> data(n, rank == size - 1 ? 42 : 0);
  std::vector<int> sum(n), all_sum(n), left(n), strictly_left(n, -1);
  std::vector<int> parts(n * static_cast<std::size_t>(size));
  std::vector<int> parts_v(parts.size());
  std::vector<int> all_parts(parts.size());
  std::vector<int> counts(static_cast<std::size_t>(size), n);
  std::vector<int> places;
  for (int r = 0; r < size; ++r) places.push_back(n * r);
  std::vector<Request> requests;
  requests.push_back(ibcast(data.data(), n, MPI_INT, size - 1, world));
  requests.push_back(ireduce(in.data(), sum.data(), n, MPI_INT, MPI_SUM, size - 1, world));
  requests.push_back(iallreduce(in.data(), all_sum.data(), n, MPI_INT, MPI_SUM, world));
  requests.push_back(iscan(in.data(), left.data(), n, MPI_INT, MPI_SUM, world));
  requests.push_back(iexscan(in.data(), strictly_left.data(), n, MPI_INT, MPI_SUM, world));
  requests.push_back(igather(in.data(), n, MPI_INT, parts.data(), n, MPI_INT, 0, world));
  requests.push_back(igatherv(in.data(), n, MPI_INT, parts_v.data(), counts.data(), places.data(),
                              MPI_INT, 0, world));
  requests.push_back(iallgather(in.data(), n, MPI_INT, all_parts.data(), n, MPI_INT, world));
  requests.push_back(ibarrier(world));
  waitall(requests);
  const int total = size * (size + 1) / 2;
  EXPECT_EQ(data, std::vector<int>(n, 42));
  if (rank == size - 1) {
    EXPECT_EQ(sum, std::vector<int>(n, total));
  }
  EXPECT_EQ(all_sum, std::vector<int>(n, total));
  EXPECT_EQ(left, std::vector<int>(n, (rank + 1) * (rank + 2) / 2));
  EXPECT_EQ(strictly_left, std::vector<int>(n, rank == 0 ? -1 : rank * (rank + 1) / 2));
  for (int r = 0; r < size; ++r) {
    EXPECT_EQ(all_parts[static_cast<std::size_t>(n * r)], r + 1);
    if (rank == 0) {
      EXPECT_EQ(parts[static_cast<std::size_t>(n * r)], r + 1);
      EXPECT_EQ(parts_v[static_cast<std::size_t>(n * r + n - 1)], r + 1);
    }
  }
}

// Nobody leaves before the last one has entered.
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
