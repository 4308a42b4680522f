// SPDX-License-Identifier: BSD-3-Clause
//
// A fast sort that does not sort is no result: what must hold of every sort that is measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "communicators/range/collectives.hpp"
#include "communicators/site.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {

/// What tells elements from others whatever their order: their number, and sum and exclusive or of
/// hashes of their bytes.
struct Contents {
  std::uint64_t number = 0;
  std::uint64_t sum = 0;
  std::uint64_t exclusive_or = 0;
  friend bool operator==(const Contents&, const Contents&) = default;
};

/// Those of the elements of all ranks of `world`. Collective.
Contents of_all(const Contents& own, Site& world);

/// What is wrong with a sort; the greater is told first.
enum class WrongSort { nothing, unsorted, borders, contents, balance };

/// Throws std::runtime_error, on all ranks of `world`, where something is wrong on one of them; it
/// names the last such rank. Collective.
void expect_right(WrongSort own, Site& world);

/// `element` has no padding.
template <class T>
std::uint64_t hash_of_element(const T& element) {
  std::uint64_t hash = 0;
  for (std::size_t at = 0; at < sizeof(T); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&element) + at,
                std::min(sizeof word, sizeof(T) - at));
    hash = hash_combined(hash, word);
  }
  return hash;
}

template <class T>
Contents contents_of(const std::vector<T>& elements) {
  Contents all{elements.size(), 0, 0};
  for (const T& element : elements) {
    const std::uint64_t hash = hash_of_element(element);
    all.sum += hash;
    all.exclusive_or ^= hash;
  }
  return all;
}

/// Whether no element of a rank is less than one of a rank before. Collective; all ranks that break
/// it answer false.
template <class T>
bool follows_those_before(const std::vector<T>& elements, Site& world) {
  struct Border {
    T first;
    T last;
  };
  const Border own = elements.empty() ? Border() : Border{elements.front(), elements.back()};
  const int some = elements.empty() ? 0 : 1;
  std::vector<Border> borders(static_cast<std::size_t>(world.size()));
  std::vector<int> holding(borders.size());
  allgather(&own, sizeof own, MPI_BYTE, borders.data(), sizeof own, MPI_BYTE, world.all());
  allgather(&some, 1, MPI_INT, holding.data(), 1, MPI_INT, world.all());
  for (auto rank = static_cast<std::size_t>(world.rank()); some == 1 && rank-- > 0;) {
    if (holding[rank] == 1) return !(own.first < borders[rank].last);
  }
  return true;
}

/// Checks what came out of a sort of elements that had these contents, on all ranks together: all
/// are there, and in order, also from rank to rank. Each rank must have `number_of_each`; below 0:
/// any number. Collective; throws as expect_right does.
template <class T>
void check_sorted(const std::vector<T>& elements, const Contents& before, long long number_of_each,
                  Site& world) {
  const bool even = number_of_each < 0 || static_cast<long long>(elements.size()) == number_of_each;
  const bool same = of_all(contents_of(elements), world) == of_all(before, world);
  const bool follows = follows_those_before(elements, world);
  expect_right(!even                                               ? WrongSort::balance
               : !same                                             ? WrongSort::contents
               : !follows                                          ? WrongSort::borders
               : !std::is_sorted(elements.begin(), elements.end()) ? WrongSort::unsorted
                                                                   : WrongSort::nothing,
               world);
}

}  // namespace regroup
