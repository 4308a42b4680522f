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

#include "driver/store/record.hpp"
#include "kernel/numbers/statistics.hpp"
#include "library/task.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

/// A row of the paper's Table 1: regroupings per process at 8,192 ranks.
/// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, Table 1.
struct PaperRow {
  std::string_view balancer;
  std::string_view option;  ///< value of its first option
  double average;
  double deviation;
  int min;
  int max;
};

// The paper's asynchronous balancer goes on merging when all work is done: `finished: merge`.
inline constexpr std::array paper_rows{
    PaperRow{"none", "", 0, 0, 0, 0},
    PaperRow{"collective", "1", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "2", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "4", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "8", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "16", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "32", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "64", 3.75, 1.20, 2, 5},
    PaperRow{"collective", "128", 2.62, 0.48, 2, 3},
    PaperRow{"asynchronous", "merge", 14.38, 3.54, 5, 26},
};

/// The paper's row for the balancer of `run`; nullptr where it has none, or where `run` is not the
/// paper's experiment (groups of 4, cyclic workload).
const PaperRow* paper_row(const Scenario& run);

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

/// Stored measurements that ended well and differ in repetition and seed, and in what a table
/// shows, but in nothing else: same ranks, cores, place, waiting, MPI library, version and other
/// options.
/// Where the seed draws the groups, it is the same, too.
class Setting {
 public:
  std::string title;  ///< in one line
  std::vector<const Record*> records;

  /// The values of `option` that occur: numbers ascend, words stand in the order of its table.
  std::vector<std::string> values(const std::string& option) const;

  /// The median of `figure` over repetitions and seeds, where all of `options` are as given;
  /// nothing where there is none.
  std::optional<double> median(const std::string& figure, const Options& options) const;

  /// The 95 % confidence interval of the figure whose columns are NAME_low_s and NAME_high_s; of
  /// several repetitions, what all of their intervals cover. Nothing where one has too few samples.
  std::optional<Interval> interval(const std::string& name, const Options& options) const;

 private:
  std::vector<const Record*> with(const Options& options) const;
};

/// `records` by their settings, without those that did not end well. `shown`: options of a table.
std::vector<Setting> by_setting(const MeasurementKind& kind, const std::vector<Record>& records,
                                const std::vector<std::string>& shown);

/// One line for each reason why some are unsupported, and one for each that did not end well.
std::string left_out(const std::vector<Record>& records);

}  // namespace regroup
