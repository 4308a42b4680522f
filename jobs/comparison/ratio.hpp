// SPDX-License-Identifier: BSD-3-Clause
//
// How many times longer something takes in B than in A, and how sure that is.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/numbers/spread.hpp"

namespace regroup {

/// What the interval is made from, which decides what it holds for.
enum class Method {
  exact,        ///< virtual time: there is nothing by chance
  repetitions,  ///< rank sums of repetitions (Mann and Whitney)
  problems,     ///< signed ranks of the ratios of problems that both had (Wilcoxon)
  stored,       ///< the stored intervals of medians: it does not tell how launches differ
  none          ///< too few samples
};
std::string_view name(Method method);

/// A ratio of times, with its 95 % confidence interval.
struct Ratio {
  double ratio = 1;
  double low = 0;  ///< both 0 where the method is `none`
  double high = 0;
  Method method = Method::none;
  double p_same = 1;   ///< of what is seen, or more, by chance, where the true ratio is 1
  double p_worse = 1;  ///< … where it is the limit that was asked about
};

// All times must be positive; `limit`: the ratio that p_worse is about.

/// Of times that were not repeated by chance.
Ratio exact_ratio(double a, double b);

/// The median of the ratios of all pairs (Hodges and Lehmann, of logarithms): exact, whatever times
/// are distributed like, where B's are A's times one factor. Without interval below 4 and 4.
Ratio ratio_of_repetitions(std::span<const double> a, std::span<const double> b, double limit);

/// The same of the ratios of problems, one each: their pseudo-median. Without interval below 6.
Ratio ratio_of_problems(std::span<const double> ratios, double limit);

/// A median with its stored 95 % interval.
struct StoredMedian {
  double median_s;
  Interval interval;
};
/// From intervals of two medians, of which either end says how far off the median may be (the
/// method of variance estimates recovery, Zou and Donner 2008, of logarithms).
Ratio ratio_of_stored(const StoredMedian& a, const StoredMedian& b, double limit);

/// Which of so many comparisons count, where five in a hundred of those that do may do so by chance
/// (Benjamini and Hochberg 1995).
std::vector<bool> discoveries(std::span<const double> p);

}  // namespace regroup
