// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regroup {

/// Of at least one number; the mean of the two in the middle where their number is even.
double median(std::vector<double> numbers);

/// With fewer samples even the extremes hold the true median with less than 95 %.
inline constexpr int fewest_samples = 6;

/// Both ends are samples, too.
struct Interval {
  double low_s;
  double high_s;
};

struct Dispersion {
  double min_s;
  double median_s;
  std::optional<Interval> interval;  ///< of the median, at 95 %; nothing with too few samples

  /// Half the width of the interval, relative to the median.
  std::optional<double> within() const;
};

/// Of at least one sample, without assumptions on their distribution: the number of samples below
/// the true median is binomial.
Dispersion dispersion_of(std::vector<double> samples);

/// Adds NAME_min_s, NAME_median_s and the interval's NAME_low_s and NAME_high_s to `figures`.
void add(std::map<std::string, double>& figures, const std::string& name,
         const Dispersion& dispersion);
void add(std::map<std::string, double>& figures, const std::string& name,
         const std::optional<Interval>& interval);

}  // namespace regroup
