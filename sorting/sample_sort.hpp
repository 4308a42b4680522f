// SPDX-License-Identifier: BSD-3-Clause
//
// Sample sort, what most would write: each rank sorts its own elements and sends the p parts of
// them, cut at p - 1 splitters, to the p ranks; these merge what they receive. The splitters come
// from a sample of all elements. One MPI_Alltoallv, and no promise of balance: equal elements, for
// one, all go to one rank.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "regroup/numbers.hpp"
#include "sorting/buffer.hpp"
#include "sorting/link.hpp"
#include "sorting/options.hpp"

namespace regroup::sorting {

/// Where runs of so many elements begin, and at last where they end.
inline std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > INT_MAX - begins[i]) {
      throw std::length_error("a rank can sort fewer than 2^31 elements");
    }
    begins[i + 1] = begins[i] + counts[i];
  }
  return begins;
}

/// Merges neighbouring runs, which begin at `begins`, two by two until one is left.
template <class T>
void merge_runs(Buffer<T>& elements, std::vector<int> begins) {
  Buffer<T> merged(elements.size());
  while (begins.size() > 2) {
    std::vector<int> next{0};
    for (std::size_t run = 0; run + 1 < begins.size(); run += 2) {
      const std::size_t end = std::min(run + 2, begins.size() - 1);
      const auto at = [&](std::size_t i) { return elements.data() + begins[i]; };
      std::merge(at(run), at(run + 1), at(run + 1), at(end), merged.data() + begins[run]);
      next.push_back(begins[end]);
    }
    elements.swap(merged);
    begins.swap(next);
  }
}

/// `samples` elements of each rank of `comm`, drawn at random, of all ranks; sorted.
template <class T>
Buffer<T> samples_of_all(const std::vector<T>& data, int samples, MPI_Datatype type, MPI_Comm comm,
                         std::uint64_t seed) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  Buffer<T> mine;
  const std::uint64_t own_seed = hash_combined(seed, static_cast<std::uint64_t>(rank));
  for (int i = 0; i < samples && !data.empty(); ++i) {
    mine.push_back(data[hash_combined(own_seed, static_cast<std::uint64_t>(i)) % data.size()]);
  }
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  const std::vector<int> begins = begins_of(counts);
  Buffer<T> all(static_cast<std::size_t>(begins.back()));
  MPI_Allgatherv(mine.data(), count, type, all.data(), counts.data(), begins.data(), type, comm);
  std::sort(all.begin(), all.end());
  return all;
}

/// Sorts the elements of all ranks of `comm`, which all of them call, by MPI's own blocking calls.
/// In ascending order, rank by rank; how many a rank has in the end depends on the elements. Of the
/// facts it tells bytes_sent and most_messages_… alone, and how many elements the rank has in the
/// end. Throws std::length_error, on the rank that would have 2^31 elements or more.
template <class T>
SortFacts sample_sort(std::vector<T>& data, MPI_Comm comm, const SortOptions& options = {}) {
  static_assert(std::is_trivially_copyable_v<T>, "elements are sent as bytes");
  const ElementType type(static_cast<int>(sizeof(T)));
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int per_rank = std::max(1, static_cast<int>(16 * std::log2(ranks)));
  const Buffer<T> samples = samples_of_all(data, per_rank, type.get(), comm, options.seed);
  std::sort(data.begin(), data.end());
  std::vector<int> counts;
  auto begin = data.begin();
  for (int part = 0; part < ranks; ++part) {
    auto end = data.end();
    if (part + 1 < ranks && !samples.empty()) {
      const auto cut =
          samples.size() * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(ranks);
      end = std::upper_bound(begin, data.end(), samples[cut]);
    }
    counts.push_back(static_cast<int>(end - begin));
    begin = end;
  }
  std::vector<int> coming(counts.size());
  MPI_Alltoall(counts.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, comm);
  const std::vector<int> from = begins_of(counts);
  const std::vector<int> to = begins_of(coming);
  Buffer<T> received(static_cast<std::size_t>(to.back()));
  MPI_Alltoallv(data.data(), counts.data(), from.data(), type.get(), received.data(), coming.data(),
                to.data(), type.get(), comm);
  merge_runs(received, to);
  data.assign(received.begin(), received.end());

  const auto others = [&](const std::vector<int>& of) {
    const auto all = std::ranges::count_if(of, [](int count) { return count > 0; });
    return static_cast<long long>(all) - (of[static_cast<std::size_t>(rank)] > 0 ? 1 : 0);
  };
  SortFacts facts;
  facts.most_messages_sent = others(counts);
  facts.most_messages_received = others(coming);
  facts.bytes_sent =
      static_cast<long long>(sizeof(T)) * (from.back() - counts[static_cast<std::size_t>(rank)]);
  facts.fewest_elements = facts.most_elements = to.back();
  return facts;
}

}  // namespace regroup::sorting
