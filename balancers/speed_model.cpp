// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/speed_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace regroup {

void SizeComparison::add(const SizeComparison& more) {
  if (items == 0) *this = {more.before, more.ranks, more.items_before};
  const auto all = static_cast<double>(items + more.items);
  log_ratio += (more.log_ratio - log_ratio) * static_cast<double>(more.items) / all;
  variance += (more.variance - variance) * static_cast<double>(more.items) / all;
  items += more.items;
}

SizeComparison compared(const ItemTimes& before, const ItemTimes& now, const ItemTimes& told) {
  constexpr double usual_variance = 0.04;  // until several stretches were timed
  const ItemTimes news = now.since(told);
  const double variance =
      (usual_variance + before.squared_deviations + now.squared_deviations) /
      static_cast<double>(1 + std::max<std::int64_t>(0, before.stretches - 1) + now.stretches - 1);
  return {before.ranks, now.ranks, before.items, news.items, news.log_mean - before.log_mean,
          variance};
}

namespace {

/// Returns the believed log item time with `ranks` ranks, relative to one rank.
double belief(int ranks, const Forecast& believed) {
  const double one = believed.item_s(1);
  return one > 0 ? std::log(believed.item_s(ranks) / one) : 0;
}

/// Returns the size in `map` about equal to `ranks`, if there is one; otherwise `ranks`.
template <class Value>
int key_of(int ranks, const std::map<int, Value>& map) {
  const auto right = map.lower_bound(ranks);
  if (right != map.end() && about_equal(right->first, ranks)) return right->first;
  if (right != map.begin() && about_equal(std::prev(right)->first, ranks))
    return std::prev(right)->first;
  return ranks;
}

constexpr double usual_change = 0.5;  // of a correction if the size changes by a factor e

}  // namespace

bool SpeedModel::add(const SizeComparison& more, const Forecast& believed) {
  if (knows(more.ranks) && !knows(more.before)) return false;
  const double before = measured(more.before, believed);
  if (knows(more.ranks)) {
    constexpr double least_error = 0.02;  // so that new measurements keep a weight
    const auto square = [](double x) { return x * x; };
    Size& size = sizes.at(key(more.ranks));
    Size& other = sizes.at(key(more.before));
    const double off = before + more.log_ratio - measured(more.ranks, believed);
    const double all = square(size.error) + square(other.error) + square(more.error());
    for (auto& [one, change] : {std::pair<Size&, double>(size, off), {other, -off}}) {
      const double part = square(one.error) / all;
      one.log_time += part * change;
      one.error = std::max(least_error, std::sqrt(1 - part) * one.error);
    }
    size.items += more.items;
    if (std::bit_width(static_cast<std::uint64_t>(size.items)) ==
        std::bit_width(static_cast<std::uint64_t>(size.items - more.items)))
      return false;
    correct(believed);
    return true;
  }
  const auto [entry, is_new] = open.try_emplace(key_of(more.ranks, open), more);
  SizeComparison& all = entry->second;
  if (!is_new) {
    SizeComparison other = more;
    other.log_ratio += before - measured(all.before, believed);
    all.add(other);
  }
  if (!all.is_decided()) return false;
  settle(entry->first, believed);
  correct(believed);
  return true;
}

double SpeedModel::measured(int ranks, const Forecast& believed) const {
  const auto found = sizes.find(key(ranks));
  const double smooth = log_time(ranks, believed);
  if (found == sizes.end()) return smooth;
  return smooth + found->second.log_time - log_time(found->first, believed);
}

void SpeedModel::settle(int ranks, const Forecast& believed) {
  const SizeComparison all = open.extract(ranks).mapped();
  if (!knows(all.before)) {
    if (const int before = key_of(all.before, open); open.contains(before))
      settle(before, believed);
  }
  const double first = measured(all.before, believed);
  const double error = sizes.empty() ? 0 : error_of(all.before);
  if (sizes.empty()) sizes[all.before] = {first, 0, all.items_before};
  sizes[all.ranks] = {first + all.log_ratio, std::hypot(error, all.error()), all.items};
}

double SpeedModel::error_of(int ranks) const {
  double least = 1;
  for (const auto& [other, size] : sizes) {
    const double distance =
        about_equal(ranks, other) ? 0 : std::log(static_cast<double>(other) / ranks);
    least = std::min(least, std::hypot(size.error, usual_change * distance));
  }
  return least;
}

// For each size, a linear regression over the logarithm of the size. The weights of other sizes
// decrease with their distance.
void SpeedModel::correct(const Forecast& believed) {
  constexpr double usual_slope = 1;
  constexpr double least_error = 0.01;
  for (auto& [ranks, size] : sizes) {
    double weights = 0, x_mean = 0, mean = 0;
    const auto each = [&](const auto& visit) {
      for (const auto& [other, data] : sizes) {
        const double x = std::log(static_cast<double>(other) / ranks);
        const double error = std::hypot(std::max(least_error, data.error), usual_change * x);
        visit(1 / (error * error), x, data.log_time - belief(other, believed));
      }
    };
    each([&](double weight, double x, double value) {
      weights += weight;
      x_mean += weight * x;
      mean += weight * value;
    });
    x_mean /= weights;
    mean /= weights;
    double xx = 1 / (usual_slope * usual_slope), xy = 0;
    each([&](double weight, double x, double value) {
      xx += weight * (x - x_mean) * (x - x_mean);
      xy += weight * (x - x_mean) * (value - mean);
    });
    slope = xy / xx;
    size.correction = mean - slope * x_mean;
    size.correction_error = std::sqrt(1 / weights + x_mean * x_mean / xx);
  }
}

bool SpeedModel::fits(int ranks, double log_s, const Forecast& believed) const {
  constexpr double clearly = 0.1;
  return std::abs(log_s - log_time(ranks, believed) - std::log(unit_s)) < clearly;
}

void SpeedModel::fit(int ranks, double log_s, const Forecast& believed) {
  unit_s = std::exp(log_s - log_time(ranks, believed));
}

double SpeedModel::log_time(int ranks, const Forecast& believed) const {
  const double log = belief(ranks, believed);
  if (sizes.empty()) return log;
  const auto right = sizes.lower_bound(ranks);
  if (right == sizes.begin()) return log + right->second.correction;
  const auto& [low, low_size] = *std::prev(right);
  const double distance = std::log(static_cast<double>(ranks) / low);
  double correction = low_size.correction + slope * distance;
  if (right != sizes.end()) {
    const auto& [high, high_size] = *right;
    const double part = distance / std::log(static_cast<double>(high) / low);
    correction = low_size.correction + part * (high_size.correction - low_size.correction);
  }
  // The speedup over the next smaller size is at most linear.
  return std::max(log + correction, belief(low, believed) + low_size.correction - distance);
}

Forecast SpeedModel::forecast(const Forecast& believed) const {
  return {[this, &believed](int ranks) { return unit_s * std::exp(log_time(ranks, believed)); },
          believed.order_s, believed.regroup_s};
}

int SpeedModel::key(int ranks) const { return key_of(ranks, sizes); }

bool SpeedModel::knows(int ranks) const { return sizes.contains(key(ranks)); }

int SpeedModel::best(const Forecast& believed) const {
  if (sizes.empty()) return start;
  const auto time = [&](const auto& one) {
    return belief(one.first, believed) + one.second.correction;
  };
  const auto least = std::ranges::min_element(sizes, {}, time);
  constexpr double most_error = 0.1;  // limits the benefit of the doubt
  return std::find_if(sizes.rbegin(), sizes.rend(),
                      [&](const auto& one) {
                        const double error =
                            std::hypot(one.second.correction_error, least->second.correction_error);
                        return time(one) - time(*least) <=
                               clearly_slower + std::min(error, most_error);
                      })
      ->first;
}

namespace {

/// Returns a size between `low` and `high` if a better one may lie there; 0 if they are too close.
int between(int low, int high) {
  constexpr int far = 3;
  return high >= far * low ? static_cast<int>(std::lround(std::sqrt(1.0 * low * high))) : 0;
}

}  // namespace

int SpeedModel::above(const Forecast& believed) const {
  const int fastest = best(believed);
  const auto next = sizes.lower_bound(fastest + (fastest + 1) / 2);
  if (next == sizes.end()) return 4 * largest();
  const Size& size = sizes.at(fastest);
  const double error = std::hypot(next->second.error, size.error);
  const double loss = next->second.log_time - size.log_time;
  if (loss < 2 * error) return doubtful_below(believed) == 0 ? next->first : 0;
  const int nearer = between(fastest, next->first);
  const bool is_far_known = largest() >= 3 * next->first;
  return nearer > 0 || is_far_known || below(believed) > 0 ? nearer : 4 * largest();
}

int SpeedModel::next_below(int ranks) const {
  const auto above = sizes.upper_bound(2 * ranks / 3);
  return above == sizes.begin() ? 0 : std::prev(above)->first;
}

int SpeedModel::doubtful_below(const Forecast& believed) const {
  const int fastest = best(believed);
  const int next = next_below(fastest);
  if (next == 0) return 0;
  const Size& size = sizes.at(fastest);
  const Size& other = sizes.at(next);
  const bool is_known = std::max(size.items, other.items) >= SizeComparison::enough;
  const double gain = log_time(next, believed) - log_time(fastest, believed);
  const double error = std::hypot(size.correction_error, other.correction_error);
  return is_known && error > clearly_slower && gain < error ? next : 0;
}

int SpeedModel::below(const Forecast& believed) const {
  const int fastest = best(believed);
  const int next = next_below(fastest);
  if (next == 0) return fastest / 2;
  if (const int doubtful = doubtful_below(believed); doubtful > 0) return doubtful;
  // Even between slower measured sizes, the fastest size may be far from the best measured one.
  const double flat = fastest == largest() ? 0.1 : 0.5;
  const double gain = log_time(next, believed) - log_time(fastest, believed);
  return gain < flat * std::log(static_cast<double>(fastest) / next) ? between(next, fastest) : 0;
}

int SpeedModel::trusted(const Forecast& believed) const {
  const int fastest = best(believed);
  if (fastest != largest()) return fastest;
  return fastest > smallest() ? 2 * fastest : fastest + fastest / 8;
}

}  // namespace regroup
