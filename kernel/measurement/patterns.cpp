// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/patterns.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernel/numbers/random.hpp"

namespace regroup {
namespace {

std::vector<Layer> one_group(int, int group_size, std::uint64_t) {
  return {{Members::range(0, group_size)}};
}

std::vector<Layer> disjoint(int ranks, int group_size, std::uint64_t) {
  Layer layer;
  for (int first = 0; first < ranks; first += group_size) {
    layer.push_back(Members::range(first, std::min(group_size, ranks - first)));
  }
  return {layer};
}

int half(int ranks) { return (ranks + 1) / 2; }

std::vector<Layer> halves(int ranks, int, std::uint64_t) { return disjoint(ranks, half(ranks), 0); }

int four(int ranks) { return std::min(ranks, 4); }

/// Groups of four of which neighbours share one rank: 0-3, 3-6, 6-9, …
std::vector<Members> overlapping(int ranks) {
  std::vector<Members> groups;
  for (int first = 0; first == 0 || first + 1 < ranks; first += 3) {
    groups.push_back(Members::range(first, std::min(4, ranks - first)));
  }
  return groups;
}

std::vector<Layer> cascaded(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers;
  for (const Members& group : overlapping(ranks)) layers.push_back({group});
  return layers;
}

std::vector<Layer> alternating(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers(2);
  const std::vector<Members> groups = overlapping(ranks);
  for (std::size_t i = 0; i < groups.size(); ++i) layers[i % 2].push_back(groups[i]);
  if (layers[1].empty()) layers.pop_back();
  return layers;
}

std::vector<Layer> random_subset(int ranks, int group_size, std::uint64_t seed) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(group_size); ++i) {
    const std::uint64_t bits = random_bits(seed, Purpose::subset, i, 0);
    std::swap(all[i], all[i + bits % (all.size() - i)]);
  }
  all.resize(static_cast<std::size_t>(group_size));
  std::ranges::sort(all);
  return {{Members::list(all)}};
}

int as_configured(int) { return 0; }

constexpr std::array entries{
    Pattern{{"one_group", "the first group_size ranks; the others only look on", {}},
            one_group,
            as_configured},
    Pattern{{"disjoint", "all ranks at once, in groups of group_size neighbours", {}},
            disjoint,
            as_configured},
    Pattern{{"halves", "all ranks at once, in two halves (RBC, Figure 5)", {}}, halves, half},
    Pattern{{"cascaded",
             "groups of four that share one rank with the next; each rank forms its left group "
             "first (RBC, Figure 6)",
             {}},
            cascaded,
            four},
    Pattern{{"alternating",
             "the same groups; first those with an even number, then the others (RBC, Figure 6)",
             {}},
            alternating,
            four},
    Pattern{{"random_subset", "group_size ranks at random, by the seed, in ascending order", {}},
            random_subset,
            as_configured,
            true},
};

}  // namespace

std::span<const Pattern> patterns() { return entries; }

}  // namespace regroup
