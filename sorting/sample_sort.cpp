// SPDX-License-Identifier: BSD-3-Clause
//
// Sample sort: each rank sorts its own elements, cuts them at p - 1 splitters into p parts, and
// sends one to each of the p ranks, which merge the parts. The splitters come from a sample of all
// elements. Needs one MPI_Alltoallv. Does not guarantee balance: for example, equal elements all go
// to one rank.
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/sorting.hpp"
#include "sorting/level.hpp"

namespace regroup::sorting {
namespace {

/// Returns the start indices of runs of `counts` elements, and the end of the last run.
std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > INT_MAX - begins[i]) {
      throw std::length_error("a rank can sort fewer than 2^31 elements");
    }
    begins[i + 1] = begins[i] + counts[i];
  }
  return begins;
}

/// Merges adjacent runs in pairs until one is left. `begins`: as from begins_of().
ElementBuffer merged_runs(const ElementOperations& type, ElementBuffer elements,
                          std::vector<int> begins) {
  ElementBuffer merged(type, elements.size());
  while (begins.size() > 2) {
    std::vector<int> next{0};
    for (std::size_t run = 0; run + 1 < begins.size(); run += 2) {
      const auto begin = static_cast<std::size_t>(begins[run]);
      const auto middle = static_cast<std::size_t>(begins[run + 1]);
      const auto end = static_cast<std::size_t>(begins[std::min(run + 2, begins.size() - 1)]);
      type.merge(elements.at(begin), middle - begin, elements.at(middle), end - middle,
                 merged.at(begin));
      next.push_back(static_cast<int>(end));
    }
    std::swap(elements, merged);
    begins.swap(next);
  }
  return elements;
}

/// Returns the sorted samples of all ranks of `comm`; each draws `samples` elements at random.
ElementBuffer samples_of_all(const ElementOperations& type, const void* elements, std::size_t count,
                             int samples, MPI_Datatype datatype, MPI_Comm comm,
                             std::uint64_t seed) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int own_count = count == 0 ? 0 : samples;
  ElementBuffer own(type, static_cast<std::size_t>(own_count));
  const std::uint64_t own_seed = hash_combined(seed, static_cast<std::uint64_t>(rank));
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t drawn = hash_combined(own_seed, i) % count;
    std::memcpy(own.at(i), static_cast<const std::byte*>(elements) + drawn * type.size, type.size);
  }
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&own_count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  const std::vector<int> begins = begins_of(counts);
  ElementBuffer all(type, static_cast<std::size_t>(begins.back()));
  MPI_Allgatherv(own.data(), own_count, datatype, all.data(), counts.data(), begins.data(),
                 datatype, comm);
  type.sort(all.data(), all.size());
  return all;
}

}  // namespace

Sorted sample_sort(const ElementOperations& type, void* elements, std::size_t count, MPI_Comm comm,
                   const SortOptions& options) {
  const ElementDatatype datatype(type.size);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int per_rank = std::max(1, static_cast<int>(16 * std::log2(ranks)));
  const ElementBuffer samples =
      samples_of_all(type, elements, count, per_rank, datatype.get(), comm, options.seed);
  type.sort(elements, count);
  std::vector<int> counts;
  std::size_t begin = 0;
  for (int part = 0; part < ranks; ++part) {
    std::size_t end = count;
    if (part + 1 < ranks && !samples.empty()) {
      const auto cut =
          samples.size() * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(ranks);
      const auto* rest = static_cast<const std::byte*>(elements) + begin * type.size;
      end = begin + type.upper_bound(rest, count - begin, samples.at(cut));
    }
    counts.push_back(static_cast<int>(end - begin));
    begin = end;
  }
  std::vector<int> coming(counts.size());
  MPI_Alltoall(counts.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, comm);
  const std::vector<int> from = begins_of(counts);
  const std::vector<int> to = begins_of(coming);
  ElementBuffer received(type, static_cast<std::size_t>(to.back()));
  MPI_Alltoallv(elements, counts.data(), from.data(), datatype.get(), received.data(),
                coming.data(), to.data(), datatype.get(), comm);

  const auto others = [&](const std::vector<int>& of) {
    const auto all = std::ranges::count_if(of, [](int number) { return number > 0; });
    return static_cast<long long>(all) - (of[static_cast<std::size_t>(rank)] > 0 ? 1 : 0);
  };
  Sorted sorted;
  sorted.facts.most_messages_sent = others(counts);
  sorted.facts.most_messages_received = others(coming);
  sorted.facts.bytes_sent =
      static_cast<long long>(type.size) * (from.back() - counts[static_cast<std::size_t>(rank)]);
  sorted.facts.fewest_elements = sorted.facts.most_elements = to.back();
  sorted.elements = merged_runs(type, std::move(received), to);
  return sorted;
}

}  // namespace regroup::sorting
