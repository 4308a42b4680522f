// SPDX-License-Identifier: BSD-3-Clause
//
// What tests of distributed sorts are made of: inputs on all ranks, and whether they are sorted.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "regroup/numbers.hpp"
#include "sorting/inputs.hpp"
#include "sorting/options.hpp"
#include "sorting/slots.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::sorting {

/// A key, and what comes along with it.
struct Record {
  double key;
  std::uint64_t number;

  explicit Record(double of_key, std::uint64_t of_number) : key(of_key), number(of_number) {}
  static Record of(double key, std::uint64_t number) { return Record(key, number); }
  friend bool operator<(const Record& one, const Record& other) { return one.key < other.key; }
};

/// How many elements the ranks begin with.
enum class Sizes { same, one_has_all, random };

/// What a sort begins with.
struct Case {
  Input input = Input::uniform;
  Sizes sizes = Sizes::same;
  long long n = 0;  ///< on each rank, on average or at most
  std::uint64_t seed = 1;
};

inline std::string described(const Case& sort) {
  return std::string(inputs[static_cast<std::size_t>(sort.input)].name) + ", sizes " +
         std::to_string(static_cast<int>(sort.sizes)) + ", n " + std::to_string(sort.n) +
         ", seed " + std::to_string(sort.seed);
}

template <class T>
std::vector<T> elements_of(const Case& sort) {
  const int rank = world().rank;
  const int ranks = world().ranks;
  std::vector<T> elements;
  if (sort.sizes == Sizes::one_has_all) {
    if (rank == static_cast<int>(sort.seed % static_cast<std::uint64_t>(ranks))) {
      elements = make_input<T>(sort.input, 0, 1, sort.n * ranks, sort.seed);
    }
    return elements;
  }
  elements = make_input<T>(sort.input, rank, ranks, sort.n, sort.seed);
  if (sort.sizes == Sizes::random) {
    const std::uint64_t bits = hash_combined(sort.seed, static_cast<std::uint64_t>(rank));
    const auto size = static_cast<std::ptrdiff_t>(bits % (elements.size() + 1));
    elements.erase(elements.begin() + size, elements.end());
  }
  return elements;
}

/// Of all elements on all ranks: their number, and sums that no order changes.
template <class T>
std::array<std::uint64_t, 3> digest(const std::vector<T>& elements) {
  std::array<std::uint64_t, 3> sums{elements.size(), 0, 0};
  for (const T& element : elements) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const char*>(&element) + at,
                  std::min<std::size_t>(8, sizeof(T) - at));
      hash = hash_combined(hash, bits);
    }
    sums[1] += hash;
    sums[2] += hash_combined(hash, 1);
  }
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD); });
  return sums;
}

/// Whether the elements ascend on the caller, and from the rank before it, to it.
template <class T>
bool ascends(const std::vector<T>& elements) {
  struct Ends {
    long long size;
    std::array<unsigned char, 2 * sizeof(T)> ends;
  };
  Ends mine{static_cast<long long>(elements.size()), {}};
  if (!elements.empty()) {
    std::memcpy(mine.ends.data(), &elements.front(), sizeof(T));
    std::memcpy(mine.ends.data() + sizeof(T), &elements.back(), sizeof(T));
  }
  std::vector<Ends> all(static_cast<std::size_t>(world().ranks));
  world().waiter.blocking([&] {
    MPI_Allgather(&mine, sizeof(Ends), MPI_BYTE, all.data(), sizeof(Ends), MPI_BYTE,
                  MPI_COMM_WORLD);
  });
  bool good = std::is_sorted(elements.begin(), elements.end());
  for (int before = world().rank - 1; good && before >= 0 && !elements.empty(); --before) {
    const Ends& other = all[static_cast<std::size_t>(before)];
    if (other.size == 0) continue;
    T last = elements.front();
    std::memcpy(&last, other.ends.data() + sizeof(T), sizeof(T));
    return !(elements.front() < last);
  }
  return good;
}

/// The largest of what the ranks tell.
inline long long largest(long long number) {
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD); });
  return number;
}

/// Sorts the elements of `sort` by `sorted(data, options)`; checks that they ascend, that they are
/// the same, and that the ranks held equal numbers of them all the time. Answers the facts.
template <class T, class Sorted>
SortFacts expect_sorted(const Case& sort, SortOptions options, Sorted sorted) {
  SCOPED_TRACE(described(sort) +
               (options.assignment == Assignment::greedy ? ", greedy" : ", deterministic"));
  std::vector<T> data = elements_of<T>(sort);
  const auto before = digest(data);
  const Slots slots(static_cast<long long>(before[0]), world().ranks);
  const long long share = slots.of(world().rank).size();
  const auto also = options.after_level;
  options.after_level = [&](const LevelReport& report) {
    EXPECT_EQ(report.elements, share);
    if (also) also(report);
  };
  options.seed = sort.seed;
  const SortFacts facts = sorted(data, options);
  EXPECT_TRUE(ascends(data));
  EXPECT_EQ(digest(data), before);
  EXPECT_EQ(static_cast<long long>(data.size()), share);
  EXPECT_EQ(facts.fewest_elements, share);
  EXPECT_EQ(facts.most_elements, share);
  if (world().ranks > 1) {
    EXPECT_LE(facts.levels, 20 * std::log(world().ranks) / std::log(8.0 / 7));
  }
  return facts;
}

}  // namespace regroup::sorting
