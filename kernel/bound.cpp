// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/bound.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace regroup {
namespace {

/// A corner of the concave hull of rate as a function of the number of ranks.
struct Corner {
  double ranks = 0;
  double rate = 0;  // items per second
};

double ranks_per_rate(const Corner& from, const Corner& to) {
  return (to.ranks - from.ranks) / (to.rate - from.rate);
}

/// Returns the corners from 0 ranks to the highest rate. Nearly collinear points are no corners.
std::vector<Corner> corners_of_hull(const ItemTime& time, int ranks) {
  constexpr double as_good_as_equal = 1 + 1e-12;
  std::vector<Corner> hull{{}};
  for (int n = 1; n <= ranks; ++n) {
    const Corner next{static_cast<double>(n), 1 / time.seconds(n)};
    if (next.rate <= hull.back().rate) continue;
    while (hull.size() > 1 &&
           ranks_per_rate(hull[hull.size() - 2], hull.back()) * as_good_as_equal >=
               ranks_per_rate(hull.back(), next)) {
      hull.pop_back();
    }
    hull.push_back(next);
  }
  return hull;
}

}  // namespace

double bound_s(std::span<const double> items, const ItemTime& time, int ranks) {
  std::map<double, double> chains;  // number of chains by number of items
  for (const double number : items) {
    if (number > 0) ++chains[number];
  }
  if (chains.empty()) return 0;
  const std::vector<Corner> hull = corners_of_hull(time, ranks);

  // While each chain stays on its segment of the hull, all chains need fixed + per_second / end
  // ranks, which is convex in 1 / end. So Newton's method, started at the earliest end of the
  // longest chain, converges from one side, in a few steps, to the end that needs all ranks.
  double end_s = chains.rbegin()->first / hull.back().rate;
  for (;;) {
    double fixed = 0;
    double per_second = 0;
    for (const auto& [number, count] : chains) {
      const double rate = number / end_s;
      const auto above = std::lower_bound(
          hull.begin() + 1, hull.end() - 1, rate,
          [](const Corner& corner, double wanted) { return corner.rate < wanted; });
      const double slope = ranks_per_rate(*(above - 1), *above);
      fixed += count * ((above - 1)->ranks - (above - 1)->rate * slope);
      per_second += count * number * slope;
    }
    if (fixed + per_second / end_s <= ranks) return end_s;
    const double later_s = per_second / (ranks - fixed);
    if (later_s <= end_s) return end_s;
    end_s = later_s;
  }
}

double bound_s(std::span<const std::int64_t> items, const ItemTime& time, int ranks) {
  return bound_s(std::vector<double>(items.begin(), items.end()), time, ranks);
}

}  // namespace regroup
