// SPDX-License-Identifier: BSD-3-Clause
#include "pool/task_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace regroup {
namespace {

constexpr std::size_t most_kept = 15;

}  // namespace

void TaskTimes::begin(std::size_t tasks, std::span<const double> costs) {
  if (!costs_.empty()) learn_unit();
  last_ = std::exchange(current_, std::vector<Measured>(tasks));
  costs_.assign(costs.begin(), costs.end());
  expected_.assign(tasks, 1);
  if (!costs_.empty()) {
    in_seconds_ = cost_s_ > 0;
    for (std::size_t i = 0; i < tasks; ++i) expected_[i] = costs_[i] * (in_seconds_ ? cost_s_ : 1);
    return;
  }
  double sum = 0;
  std::size_t measured = 0;
  for (const Measured& one : last_) {
    sum += one.seconds * speedup(one.width);
    measured += one.width > 0 ? 1 : 0;
  }
  in_seconds_ = last_.size() == tasks && measured > 0;
  for (std::size_t i = 0; in_seconds_ && i < tasks; ++i) {
    expected_[i] = last_[i].width > 0 ? last_[i].seconds * speedup(last_[i].width)
                                      : sum / static_cast<double>(measured);  // the task failed
  }
}

/// Computes cost_s_ from the tasks of the previous round at width 1, or from all if there are none.
void TaskTimes::learn_unit() {
  for (const bool narrow : {true, false}) {
    double units = 0;
    double seconds = 0;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      if (current_[i].width == 0 || (narrow && current_[i].width > 1)) continue;
      units += costs_[i];
      seconds += current_[i].seconds * speedup(current_[i].width);
    }
    if (units <= 0 || seconds <= 0) continue;
    cost_s_ = seconds / units;
    return;
  }
}

bool TaskTimes::comparable(std::size_t task) const {
  return in_seconds_ && (!costs_.empty() || last_[task].width == 1);
}

void TaskTimes::add(std::size_t task, int width, double seconds) {
  current_[task] = {width, seconds};
  if (!in_seconds_ || seconds <= 0 || expected_[task] <= 0) return;
  // With two widths beyond 1, both times at width 1 would be estimates.
  int wide = width;
  Comparison found{expected_[task], seconds};
  if (costs_.empty() && last_[task].width != 1) {
    if (width > 1 || last_[task].width == 0) return;
    wide = last_[task].width;
    found = {seconds, last_[task].seconds};
  }
  if (wide == 1) return;
  std::vector<Comparison>& all = comparisons_[wide];
  if (all.size() == most_kept) all.erase(all.begin());
  all.push_back(found);
}

double TaskTimes::speedup(int width) const {
  if (width <= 1 || comparisons_.empty()) return 1;
  const auto nearest = std::ranges::min_element(comparisons_, {}, [&](const auto& one) {
    return std::abs(std::log(static_cast<double>(one.first) / width));
  });
  // Long tasks have larger weights: overhead has more effect on short ones.
  double narrow_s = 0;
  double wide_s = 0;
  for (const Comparison& one : nearest->second) {
    narrow_s += one.narrow_s;
    wide_s += one.wide_s;
  }
  const double measured = narrow_s / wide_s;
  if (nearest->first == width) return measured;
  const double n = nearest->first;
  const double serial = std::max(0.0, (1 / measured - 1 / n) / (1 - 1 / n));
  return 1 / (serial + (1 - serial) / width);
}

std::size_t TaskTimes::comparisons(int width) const {
  const auto found = comparisons_.find(width);
  return found == comparisons_.end() ? 0 : found->second.size();
}

}  // namespace regroup
