// SPDX-License-Identifier: BSD-3-Clause
//
// Ratios of the times of B to those of A, with confidence intervals.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/store/record.hpp"
#include "kernel/numbers/statistics.hpp"

namespace regroup {

/// The source of an interval, which decides the variation that it covers.
enum class Method {
  exact,        ///< virtual time: nothing is random
  repetitions,  ///< rank sums of repetitions (Mann and Whitney)
  problems,     ///< signed ranks of the ratios of common problems (Wilcoxon)
  stored,       ///< the stored intervals of medians, which exclude differences of launches
  none          ///< too few samples
};
std::string_view name(Method method);

/// A ratio of times, with its confidence interval.
struct Ratio {
  double ratio = 1;
  double low = 0;  ///< low and high are 0 if the method is `none`
  double high = 0;
  Method method = Method::none;
  double p_same = 1;  ///< p-value of the hypothesis that the true ratio is 1
};

/// The default probability that an interval does not contain the true ratio.
inline constexpr double usual_alpha = 0.05;

// All times must be positive. The interval has confidence 1 - `alpha`, and excludes 1 if and only
// if p_same is at most alpha.

/// Returns the ratio of two times that do not vary at random.
Ratio exact_ratio(double a, double b);

/// Returns the median of the ratios of all pairs (Hodges and Lehmann, of logarithms). Exact for any
/// distribution if B is A times one factor. No interval with fewer than 4 samples on each side.
Ratio ratio_of_repetitions(std::span<const double> a, std::span<const double> b,
                           double alpha = usual_alpha);

/// Returns the pseudo-median of `ratios`, one for each problem. No interval for fewer than 6.
Ratio ratio_of_problems(std::span<const double> ratios, double alpha = usual_alpha);

/// A median with its stored 95 % interval.
struct StoredMedian {
  double median_s;
  Interval interval;
};
/// Returns the ratio of two medians; its interval combines theirs by the method of variance
/// estimates recovery (Zou and Donner 2008), applied to logarithms.
Ratio ratio_of_stored(const StoredMedian& a, const StoredMedian& b, double alpha = usual_alpha);

/// Returns the corrected alpha for comparisons that are judged together, given the p of each. Those
/// with p at most alpha differ; at most 5 % of them do so by chance (Benjamini and Hochberg 1995),
/// and at most 5 % of their intervals miss the true ratio (Benjamini and Yekutieli 2005).
double corrected_alpha(std::span<const double> p);

/// A time of one row: the makespan of a run, or the median of the samples of a measurement.
struct StoredTime {
  double seconds;
  std::optional<Interval> interval;  ///< of the median, if the row has one
};

using Values = std::map<std::string, std::string>;  // by name

/// A row of results, reduced to the fields that comparisons need.
struct ComparedRow {
  Values parameters;      ///< except those in which samples of one time differ
  Values conditions;      ///< waiting, cores, circumstances; empty if it did not end well
  std::string placement;  ///< reported, but no condition: schedulers choose it freely
  std::string problem;    ///< equal for rows with equal work
  bool exact = false;     ///< in virtual time, where nothing is random
  std::map<std::string, StoredTime> times;  ///< by column
  Status status = Status::ok;
  std::string description;  ///< in one line, with the reason if it did not end well
};

/// Returns the rows in a directory of results that meet `where`: measurements of `kind`, or runs if
/// it is nullptr. Throws UserError.
std::vector<ComparedRow> compared_rows(const std::string& directory, const MeasurementKind* kind,
                                       const Catalog& catalog, const Where& where = {});

// Comparisons of two directories of results, A and B.

/// `worse`, `slower`, `faster`: the corrected interval lies above the limit, above 1, below 1.
enum class Verdict { worse, slower, faster, no_difference, not_judged };
inline constexpr std::size_t verdicts = 5;
std::string_view name(Verdict verdict);

/// A time of one setting in both directories.
struct Compared {
  Values parameters;
  std::string time;         ///< name of the column
  double a_s = 0, b_s = 0;  ///< medians
  std::size_t a_rows = 0, b_rows = 0;
  std::string why;                                ///< the reason if it is not judged
  std::function<Ratio(double alpha)> ratio_with;  ///< empty if alpha has no influence
  Ratio ratio;                                    ///< with the corrected alpha
  Verdict verdict = Verdict::not_judged;
};

/// A comparison of one file of results.
struct Comparison {
  std::string file;
  std::map<std::string, std::array<std::string, 2>> differences;  ///< parameters and conditions
  std::vector<Compared> compared;
  std::size_t judged = 0;      ///< number of statistical comparisons, for which alpha is corrected
  double alpha = usual_alpha;  ///< of the intervals, corrected
  std::array<std::vector<std::string>, 2> alone;  ///< rows without a counterpart on the other side
  std::array<std::vector<std::string>, 2> not_well;  ///< rows that did not end well

  std::size_t count(Verdict verdict) const;
};

/// Rows are paired if all parameters agree, ignoring those that are constant in A and in B. A time
/// is `worse` if its interval lies above `limit`. Throws UserError if a side has rows of several
/// conditions for the same ranks and engine.
Comparison compare(std::string file, std::array<std::vector<ComparedRow>, 2> rows, double limit);

/// Formats a comparison for people, as Markdown on request. Many rows are summarised, followed by
/// variants of `command`, which made the comparison, that print the others.
std::string as_text(const Comparison& comparison, double limit, const std::string& command,
                    bool markdown);

/// Formats comparisons as JSON. `directories`: A and B.
std::string as_json(std::span<const Comparison> all, const std::array<std::string, 2>& directories,
                    double limit);

}  // namespace regroup
