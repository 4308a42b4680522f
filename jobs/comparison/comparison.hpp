// SPDX-License-Identifier: BSD-3-Clause
//
// What became slower or faster from one directory of results to another.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/comparison/ratio.hpp"
#include "jobs/comparison/stored_times.hpp"

namespace regroup {

/// Beyond what chance explains, all comparisons together; `worse`: by more than the limit, too.
enum class Verdict { worse, slower, faster, no_difference, not_judged };
std::string_view name(Verdict verdict);

/// One time of one setting in both.
struct Compared {
  Values parameters;
  std::string time;         ///< its column
  double a_s = 0, b_s = 0;  ///< medians
  std::size_t a_rows = 0, b_rows = 0;
  std::string why;  ///< it is not judged
  Ratio ratio;
  Verdict verdict = Verdict::not_judged;
};

/// The same file of results of both.
struct Comparison {
  std::string kind;
  std::map<std::string, std::array<std::string, 2>> differences;  ///< parameters and conditions
  std::vector<Compared> compared;
  std::size_t judged = 0;  ///< of them, by chances: those that were corrected for
  std::array<std::vector<std::string>, 2> alone;     ///< rows without partner in the other
  std::array<std::vector<std::string>, 2> not_well;  ///< rows that did not end well

  std::size_t count(Verdict verdict) const;
};

/// Rows belong together where all parameters are equal, but for those that have one value in all
/// of A and another one in all of B. `limit`: the ratio from which on something is worse. Throws
/// UserError where one side holds rows of several MPI libraries, versions or places.
Comparison compare(std::string_view kind, std::array<std::vector<ComparedRow>, 2> rows,
                   double limit);

}  // namespace regroup
