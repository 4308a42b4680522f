// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/group_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

#include "jobs/advice/trials.hpp"
#include "kernel/groups/groups.hpp"

namespace regroup {
namespace {

std::optional<GroupSize> of_size(Problem problem, const Entrant& entrant, int ranks) {
  problem.run.group_size = ranks;
  std::vector<double> ideals;
  try {
    ideals = ideals_s(problem);
  } catch (const std::invalid_argument&) {  // a trace has as many walkers as it has
    return std::nullopt;
  }
  const Trial trial = try_all(problem, {&entrant, 1}).front();
  if (!trial.well() || std::ranges::min(ideals) <= 0) return std::nullopt;
  return GroupSize{ranks, initial_groups(problem.run.ranks, ranks).size(), trial.makespan_s(),
                   problem.run.item_ms * trial.over(ideals)};
}

}  // namespace

std::vector<GroupSize> try_group_sizes(const Problem& problem, const Entrant& entrant) {
  std::set<int> candidates{problem.run.group_size};
  for (int ranks = 1; ranks <= problem.run.ranks / 2; ranks *= 2) candidates.insert(ranks);
  std::vector<GroupSize> sizes;
  for (const int ranks : candidates) {
    if (const auto size = of_size(problem, entrant, ranks)) sizes.push_back(*size);
  }
  return sizes;
}

int best_group_size(const std::vector<GroupSize>& sizes, int configured, double least_saving) {
  if (sizes.empty()) return configured;
  const double least =
      std::ranges::min_element(sizes, {}, &GroupSize::core_ms_per_item)->core_ms_per_item;
  const auto distance = [&](const GroupSize& size) {
    const bool good = size.core_ms_per_item * (1 - least_saving) <= least;
    return good ? std::abs(std::log2(size.ranks) - std::log2(configured)) : INFINITY;
  };
  return std::ranges::min_element(sizes, {}, distance)->ranks;
}

}  // namespace regroup
