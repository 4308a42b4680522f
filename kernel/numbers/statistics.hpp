// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regroup {

/// `numbers`: at least one. For an even count, returns the mean of the two middle numbers.
double median(std::vector<double> numbers);

/// With fewer samples, even the range of all samples has less than 95 % confidence for the median.
inline constexpr int fewest_samples = 6;

/// An interval whose ends are samples.
struct Interval {
  double low_s;
  double high_s;
};

struct Dispersion {
  double min_s;
  double median_s;
  std::optional<Interval> interval;  ///< of the median, 95 % confidence; empty with too few samples

  /// Half the width of the interval, relative to the median.
  std::optional<double> within() const;
};

/// `samples`: at least one, of any distribution. The confidence interval is based on the number of
/// samples below the true median, which is binomial.
Dispersion dispersion_of(std::vector<double> samples);

/// Add NAME_min_s and NAME_median_s, and NAME_low_s and NAME_high_s of the interval, to `figures`.
void add(std::map<std::string, double>& figures, const std::string& name,
         const Dispersion& dispersion);
void add(std::map<std::string, double>& figures, const std::string& name,
         const std::optional<Interval>& interval);

}  // namespace regroup
