// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace regroup {

/// What is told of the samples of one time.
struct Spread {
  double min_s;
  double median_s;
  double low_s;   ///< ends of a confidence interval of the median: of at least 95 %
  double high_s;  ///< with six samples and more; with fewer, the extremes
};

/// Of at least one sample. The ends of the interval are samples, too: how many lie below the true
/// median is a binomial number, whatever the times are distributed like.
Spread spread_of(std::vector<double> samples);

}  // namespace regroup
