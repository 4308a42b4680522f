// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/numbers/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace regroup {
namespace {

/// Returns the number of sorted samples outside the interval at each end: the largest for which the
/// true median lies below it with at most 2.5 % probability. `count`: at least `fewest_samples`.
std::size_t outside(std::size_t count) {
  const auto n = static_cast<double>(count);
  double below = 0;
  std::size_t left_out = 0;
  while (true) {
    const auto k = static_cast<double>(left_out);
    // In logarithms, since 2^count overflows.
    below += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                      n * std::numbers::ln2);
    if (below > 0.025) break;
    ++left_out;
  }
  return left_out - 1;
}

}  // namespace

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

Dispersion dispersion_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  Dispersion dispersion{samples.front(), median(samples), std::nullopt};
  if (samples.size() >= fewest_samples) {
    const std::size_t skip = outside(samples.size());
    dispersion.interval = {samples[skip], samples[samples.size() - 1 - skip]};
  }
  return dispersion;
}

std::optional<double> Dispersion::within() const {
  if (!interval) return std::nullopt;
  const double half = (interval->high_s - interval->low_s) / 2;
  return half == 0 ? 0 : half / median_s;
}

void add(std::map<std::string, double>& figures, const std::string& name,
         const Dispersion& dispersion) {
  figures[name + "_min_s"] = dispersion.min_s;
  figures[name + "_median_s"] = dispersion.median_s;
  add(figures, name, dispersion.interval);
}

void add(std::map<std::string, double>& figures, const std::string& name,
         const std::optional<Interval>& interval) {
  if (!interval) return;
  figures[name + "_low_s"] = interval->low_s;
  figures[name + "_high_s"] = interval->high_s;
}

}  // namespace regroup
