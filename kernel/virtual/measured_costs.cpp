// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/measured_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "communicators/strategies.hpp"
#include "kernel/files/measured_rows.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/exact_math.hpp"

namespace regroup {
namespace {

/// Those whose number of ranks is nearest to `ranks`; the ratio counts.
void keep_nearest(MeasuredRows& rows, int ranks) {
  const auto distance = [&](std::size_t row) {
    return std::abs(levels_of(rows.size(row, "ranks")) - levels_of(ranks));
  };
  if (rows.kept().empty()) throw UserError(fmt::format("{}: no row ended well", rows.path()));
  const double least = distance(*std::ranges::min_element(rows.kept(), {}, distance));
  rows.keep([&](std::size_t row) { return distance(row) <= least; });
}

/// `figure` by the size that `size` tells of a row. Of several rows with one size, the last counts;
/// rows without the figure do not.
template <class Size>
CostCurve curve(const MeasuredRows& rows, std::string_view figure, Size size) {
  std::map<double, double> points;
  for (const std::size_t row : rows.kept()) {
    // At most as of the costs that a configuration gives.
    if (rows.text(row, figure).empty()) continue;
    points[levels_of(size(row))] = rows.number(row, real_option(figure, "", 0, 1000, ""));
  }
  if (points.empty()) {
    throw UserError(fmt::format("{}: no row has a {}", rows.path(), figure));
  }
  return {points.begin(), points.end()};
}

}  // namespace

double at(const CostCurve& curve, double log2_size) {
  if (curve.size() == 1 || log2_size <= curve.front().first) return curve.front().second;
  auto right =
      std::ranges::lower_bound(curve, log2_size, {}, [](const auto& p) { return p.first; });
  if (right == curve.end()) --right;
  const auto left = right - 1;
  const double slope = (right->second - left->second) / (right->first - left->first);
  return std::max(0.0, left->second + slope * (log2_size - left->first));
}

double levels_of(double size) { return size > 1 ? exact::log2(size) : 0; }

MeasuredCosts read_measured_costs(const Options& options, int ranks, const Strategy* strategy) {
  MeasuredCosts costs;
  MeasuredRows steps(options.text("steps_file"));
  keep_nearest(steps, ranks);
  const auto members = [](const MeasuredRows& rows) {
    return [&rows](std::size_t row) { return rows.size(row, "group_size"); };
  };
  costs.look = curve(steps, "look_for_request_s", members(steps)).front().second;
  costs.message = curve(steps, "message_s", members(steps)).front().second;
  costs.tell = curve(steps, "tell_members_s", members(steps));
  costs.exchange = curve(steps, "exchange_loads_s", [&](std::size_t row) {
    return std::ceil(1.0 * steps.size(row, "ranks") / steps.size(row, "group_size"));
  });

  if (strategy == nullptr || strategy->local()) return costs;
  MeasuredRows creation(options.text("costs_file"));
  creation.keep("communicator", strategy->name);
  creation.keep("pattern", "one_group");
  if (strategy->caller == Caller::parent) {
    costs.create = curve(creation, "create_median_s",
                         [&](std::size_t row) { return creation.size(row, "ranks"); });
  } else {
    keep_nearest(creation, ranks);
    costs.create = curve(creation, "create_median_s", members(creation));
  }
  return costs;
}

}  // namespace regroup
