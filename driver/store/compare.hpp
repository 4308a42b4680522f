// SPDX-License-Identifier: BSD-3-Clause
//
// How many times longer something takes in B than in A, and how sure that is.
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

/// What the interval is made from, which decides what it holds for.
enum class Method {
  exact,        ///< virtual time: there is nothing by chance
  repetitions,  ///< rank sums of repetitions (Mann and Whitney)
  problems,     ///< signed ranks of the ratios of problems that both had (Wilcoxon)
  stored,       ///< the stored intervals of medians: it does not tell how launches differ
  none          ///< too few samples
};
std::string_view name(Method method);

/// A ratio of times, with its confidence interval.
struct Ratio {
  double ratio = 1;
  double low = 0;  ///< both 0 where the method is `none`
  double high = 0;
  Method method = Method::none;
  double p_same = 1;  ///< p-value of the hypothesis that the true ratio is 1
};

/// The default probability that an interval does not contain the true ratio.
inline constexpr double usual_alpha = 0.05;

// All times must be positive. The interval has confidence 1 - `alpha`, and excludes 1 if and only
// if p_same is at most alpha.

/// Of times that were not repeated by chance.
Ratio exact_ratio(double a, double b);

/// The median of the ratios of all pairs (Hodges and Lehmann, of logarithms): exact, whatever times
/// are distributed like, where B's are A's times one factor. Without interval below 4 and 4.
Ratio ratio_of_repetitions(std::span<const double> a, std::span<const double> b,
                           double alpha = usual_alpha);

/// The same of the ratios of problems, one each: their pseudo-median. Without interval below 6.
Ratio ratio_of_problems(std::span<const double> ratios, double alpha = usual_alpha);

/// A median with its stored 95 % interval.
struct StoredMedian {
  double median_s;
  Interval interval;
};
/// From intervals of two medians, of which either end says how far off the median may be (the
/// method of variance estimates recovery, Zou and Donner 2008, of logarithms).
Ratio ratio_of_stored(const StoredMedian& a, const StoredMedian& b, double alpha = usual_alpha);

/// The corrected alpha for comparisons that are judged together, given the p of each. Those with at
/// most this p differ; at most 5 % of them do so by chance (Benjamini and Hochberg 1995), and at
/// most 5 % of their intervals with this alpha miss the true ratio (Benjamini and Yekutieli 2005).
double corrected_alpha(std::span<const double> p);

/// A time of one row: of a run the makespan, of a measurement the median of its samples.
struct StoredTime {
  double seconds;
  std::optional<Interval> interval;  ///< of the median, where the row has one
};

using Values = std::map<std::string, std::string>;  // by name

/// A row as comparisons see it.
struct ComparedRow {
  Values parameters;      ///< all but those by which rows are samples of one time
  Values conditions;      ///< how it waited, cores, circumstances; empty if it did not end well
  std::string placement;  ///< one of many where a scheduler chose it: told, but no condition
  std::string problem;    ///< rows with different ones had different things to do
  bool exact = false;     ///< in virtual time: a sample of nothing
  std::map<std::string, StoredTime> times;  ///< by column
  Status status = Status::ok;
  std::string description;  ///< in one line, with why it did not end well
};

/// The rows of measurements of `kind`, or of runs, in a directory of results that meet `where`.
/// Throws UserError.
std::vector<ComparedRow> compared_rows(const std::string& directory, const MeasurementKind* kind,
                                       const Catalog& catalog, const Where& where = {});

// What became slower or faster from one directory of results to another.

/// By the corrected interval: it excludes 1 and, for `worse`, lies above the limit.
enum class Verdict { worse, slower, faster, no_difference, not_judged };
inline constexpr std::size_t verdicts = 5;
std::string_view name(Verdict verdict);

/// One time of one setting in both.
struct Compared {
  Values parameters;
  std::string time;         ///< its column
  double a_s = 0, b_s = 0;  ///< medians
  std::size_t a_rows = 0, b_rows = 0;
  std::string why;                                ///< it is not judged
  std::function<Ratio(double alpha)> ratio_with;  ///< nullptr if alpha has no influence
  Ratio ratio;                                    ///< with the corrected alpha
  Verdict verdict = Verdict::not_judged;
};

/// The same file of results of both.
struct Comparison {
  std::string file;
  std::map<std::string, std::array<std::string, 2>> differences;  ///< parameters and conditions
  std::vector<Compared> compared;
  std::size_t judged = 0;      ///< of them, by chances: those that were corrected for
  double alpha = usual_alpha;  ///< of their intervals, corrected
  std::array<std::vector<std::string>, 2> alone;     ///< rows without partner in the other
  std::array<std::vector<std::string>, 2> not_well;  ///< rows that did not end well

  std::size_t count(Verdict verdict) const;
};

/// Rows are paired where all parameters are equal, but for those that have one value in all of A
/// and another in all of B. `limit`: the ratio from which on something is worse. Throws UserError
/// where one side holds rows of several circumstances.
Comparison compare(std::string file, std::array<std::vector<ComparedRow>, 2> rows, double limit);

/// For people; `markdown`: for a page or a summary of continuous integration. Of many rows a
/// summary, and how to call `command`, that made the comparison, for others.
std::string as_text(const Comparison& comparison, double limit, const std::string& command,
                    bool markdown);

/// For programs. `directories`: A and B.
std::string as_json(std::span<const Comparison> all, const std::array<std::string, 2>& directories,
                    double limit);

}  // namespace regroup
