// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/scenario.hpp"

namespace regroup {

/// What a run met, beside what was configured: columns of runs.csv, empty where it did not end
/// well, and what provenance.yaml tells of its invocation that is not so in the others.
inline constexpr std::array condition_columns{"waited",
                                              "cores",
                                              "mpi_library",
                                              "regroup_version",
                                              "nodes",
                                              "ranks_per_node_min",
                                              "ranks_per_node_max",
                                              "placement"};
using Conditions = std::array<std::string, condition_columns.size() + 1>;

/// The columns of runs.csv whose numbers are put together.
inline constexpr std::array number_columns{"regroups_avg", "regroups_stdev", "regroups_min",
                                           "regroups_max"};

/// The runs of one setting: they differ in repetition and seed, and in nothing else. Where these
/// draw the items, the runs have different problems, whose times are no samples of one time: only
/// their ratios to the ideal of each can be seen together.
class RepeatedRuns {
 public:
  Scenario scenario;                      ///< of the first
  std::shared_ptr<const Conditions> met;  ///< nothing where no run ended well
  bool elsewhere = false;                 ///< the same was run at other places, too
  std::size_t good = 0;                   ///< runs that ended well
  std::size_t bad = 0;                    ///< runs that did not
  std::set<std::uint64_t> seeds;          ///< of those that ended well
  /// One of condition_columns, or "invocation"; empty where it has none.
  std::string condition(std::string_view name) const;

  /// Of those that ended well, in the order of number_columns.
  std::array<std::vector<double>, number_columns.size()> numbers;
  /// Those of one of number_columns.
  const std::vector<double>& of(std::string_view column) const;

  /// The runs of one problem.
  struct Problem {
    double ideal_s = 0;
    double bound_s = 0;  ///< 0 where older results do not tell it
    std::vector<double> makespans_s;
    double makespan_s() const;  ///< their median
  };
  std::map<std::string, Problem> problems;
  /// The problem; nullptr where there are several: their times are not put together.
  const Problem* only_problem() const;
  /// The makespan over the ideal, of each problem that has one.
  std::vector<double> of_ideal() const;

  /// Likewise over the bound.
  std::vector<double> of_bound() const;

  /// The makespan beside that of the same problems in `real`, minus one: the median over the
  /// problems that both have; nothing where they have none in common.
  std::optional<double> off(const RepeatedRuns& real) const;
};

/// In the order of the first run of each; there may be a million of them.
using Settings = std::deque<RepeatedRuns>;

/// The runs of a directory of results by their settings.
Settings repeated_runs(const std::string& directory);

}  // namespace regroup
