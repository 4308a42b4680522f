// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/comparison/ratio.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace regroup {
namespace {

constexpr double level = 0.05;
constexpr double two_sided_z = 1.959963984540054;  // the normal quantile of 97.5 %
constexpr std::size_t most_exact = 40;             // samples; the normal law is close with more

double normal_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

/// Chances of a rank statistic where nothing differs: of being exactly 0, 1, ….
using Chances = std::vector<double>;

Chances normal_chances(std::size_t most, double variance) {
  const double mean = static_cast<double>(most) / 2;
  const auto above = [&](double x) { return normal_tail((x - mean) / std::sqrt(variance)); };
  Chances chances(most + 1);
  for (std::size_t w = 0; w <= most; ++w) {
    const auto at = static_cast<double>(w);
    chances[w] = (w == 0 ? 1 : above(at - 0.5)) - (w == most ? 0 : above(at + 0.5));
  }
  return chances;
}

/// Of pairs in which the second is smaller: the largest of all n + m is of either side by its
/// share.
Chances rank_sum_chances(std::size_t n, std::size_t m) {
  if (std::max(n, m) > most_exact) {
    const auto pairs = static_cast<double>(n * m);
    return normal_chances(n * m, pairs * static_cast<double>(n + m + 1) / 12);
  }
  std::vector<Chances> last(m + 1, Chances{1});  // with no sample of the first
  for (std::size_t i = 1; i <= n; ++i) {
    std::vector<Chances> next{Chances{1}};
    for (std::size_t j = 1; j <= m; ++j) {
      const double share = static_cast<double>(i) / static_cast<double>(i + j);
      Chances chances(i * j + 1);
      for (std::size_t w = 0; w < last[j].size(); ++w) chances[w + j] += share * last[j][w];
      for (std::size_t w = 0; w < next[j - 1].size(); ++w) {
        chances[w] += (1 - share) * next[j - 1][w];
      }
      next.push_back(std::move(chances));
    }
    last = std::move(next);
  }
  return last[m];
}

/// Of the sum of ranks with one sign: each rank has it with a chance of one half.
Chances signed_rank_chances(std::size_t n) {
  if (n > most_exact) {
    const auto count = static_cast<double>(n);
    return normal_chances(n * (n + 1) / 2, count * (count + 1) * (2 * count + 1) / 24);
  }
  Chances chances{1};
  for (std::size_t rank = 1; rank <= n; ++rank) {
    Chances next(chances.size() + rank);
    for (std::size_t w = 0; w < chances.size(); ++w) {
      next[w] += chances[w] / 2;
      next[w + rank] += chances[w] / 2;
    }
    chances = std::move(next);
  }
  return chances;
}

/// How many of the sorted numbers are left out at either end of the interval; 0: it has no end.
std::size_t outside(const Chances& chances) {
  double below = 0;
  std::size_t left_out = 0;
  while (left_out < chances.size() && (below += chances[left_out]) <= level / 2) ++left_out;
  return left_out;
}

/// Two-sided, for a shift of `from`; ties count for there being none.
double p_of(std::span<const double> sorted, const Chances& chances, double from) {
  const auto [first, last] = std::ranges::equal_range(sorted, from);
  const auto less = static_cast<std::size_t>(first - sorted.begin());
  const auto more = static_cast<std::size_t>(sorted.end() - last);
  const std::size_t w = sorted.size() - std::max(less, more);
  double tail = 0;
  for (std::size_t i = 0; i <= w; ++i) tail += chances[i];
  return std::min(1.0, 2 * tail);
}

/// `differences`: of logarithms, as many as the statistic that has these chances can count.
Ratio estimate(std::vector<double> differences, const Chances& chances, Method method,
               double limit) {
  std::ranges::sort(differences);
  Ratio result{.ratio = std::exp(median(differences))};
  const std::size_t skip = outside(chances);
  if (skip == 0) return result;
  result.method = method;
  result.low = std::exp(differences[skip - 1]);
  result.high = std::exp(differences[differences.size() - skip]);
  result.p_same = p_of(differences, chances, 0);
  if (result.low > limit) result.p_worse = p_of(differences, chances, std::log(limit));
  return result;
}

}  // namespace

std::string_view name(Method method) {
  constexpr std::array<std::string_view, 5> names{"exact", "repetitions", "problems", "stored",
                                                  "none"};
  return names.at(static_cast<std::size_t>(method));
}

Ratio exact_ratio(double a, double b) {
  const double ratio = b / a;
  const double p = ratio == 1 ? 1 : 0;
  return {ratio, ratio, ratio, Method::exact, p, p};
}

Ratio ratio_of_repetitions(std::span<const double> a, std::span<const double> b, double limit) {
  std::vector<double> differences;
  for (const double x : a) {
    for (const double y : b) differences.push_back(std::log(y / x));
  }
  return estimate(std::move(differences), rank_sum_chances(a.size(), b.size()), Method::repetitions,
                  limit);
}

Ratio ratio_of_problems(std::span<const double> ratios, double limit) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    for (std::size_t j = i; j < ratios.size(); ++j) {
      averages.push_back((std::log(ratios[i]) + std::log(ratios[j])) / 2);
    }
  }
  return estimate(std::move(averages), signed_rank_chances(ratios.size()), Method::problems, limit);
}

Ratio ratio_of_stored(const StoredMedian& a, const StoredMedian& b, double limit) {
  const double difference = std::log(b.median_s / a.median_s);
  const double down =
      std::hypot(std::log(b.median_s / b.interval.low_s), std::log(a.interval.high_s / a.median_s));
  const double up =
      std::hypot(std::log(b.interval.high_s / b.median_s), std::log(a.median_s / a.interval.low_s));
  // The interval of a higher level, whose end is `from`, is as much wider as that is farther off.
  const auto p = [&](double from) {
    const double off = difference - from;
    if (off == 0) return 1.0;
    return 2 * normal_tail(two_sided_z * std::abs(off) / (off > 0 ? down : up));
  };
  const double low = std::exp(difference - down);
  return {std::exp(difference), low,  std::exp(difference + up),
          Method::stored,       p(0), low > limit ? p(std::log(limit)) : 1};
}

std::vector<bool> discoveries(std::span<const double> p) {
  std::vector<double> sorted(p.begin(), p.end());
  std::ranges::sort(sorted);
  double largest = -1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(sorted.size());
    if (sorted[i] <= level * share) largest = sorted[i];
  }
  std::vector<bool> counts;
  for (const double one : p) counts.push_back(one <= largest);
  return counts;
}

}  // namespace regroup
