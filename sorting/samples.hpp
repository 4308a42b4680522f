// SPDX-License-Identifier: BSD-3-Clause
//
// Which elements of a group the pivot is taken from. Everybody draws the same places of the group's
// elements, so nobody need be told how many samples come from whom. Needs no MPI.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "regroup/numbers.hpp"
#include "sorting/options.hpp"
#include "sorting/slots.hpp"

namespace regroup::sorting {

/// How many samples a group of so many ranks and elements takes.
inline int number_of_samples(const SortOptions& options, int ranks, long long elements) {
  const double by_ranks = options.samples_per_log_rank * std::log2(ranks);
  const double by_elements =
      options.samples_per_element * static_cast<double>(elements) / static_cast<double>(ranks);
  return std::max({options.fewest_samples, 1, static_cast<int>(by_ranks),
                   static_cast<int>(std::min(by_elements, 1e6))});
}

/// The places of the samples among `places`, in no order; the same wherever they are drawn. All of
/// them where there are no more than samples, so that their median is that of the group.
inline std::vector<long long> sample_places(const SortOptions& options, int ranks, int level,
                                            const Interval& places) {
  std::uint64_t seed = hash_combined(options.seed, static_cast<std::uint64_t>(level));
  seed = hash_combined(seed, static_cast<std::uint64_t>(places.begin));
  const int samples = number_of_samples(options, ranks, places.size());
  std::vector<long long> drawn(
      static_cast<std::size_t>(std::min<long long>(samples, places.size())));
  if (places.size() <= samples) {
    std::iota(drawn.begin(), drawn.end(), places.begin);
    return drawn;
  }
  for (std::size_t sample = 0; sample < drawn.size(); ++sample) {
    const std::uint64_t bits = hash_combined(seed, sample);
    drawn[sample] =
        places.begin + static_cast<long long>(bits % static_cast<std::uint64_t>(places.size()));
  }
  return drawn;
}

}  // namespace regroup::sorting
