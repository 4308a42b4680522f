// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/store/record.hpp"
#include "measurements/summary.hpp"

namespace regroup {

/// What rows were made under, beside their parameters.
struct Conditions {
  std::string waited;
  int cores = 0;
  bool oversubscribed = false;
  std::string placement;
  std::string circumstances;  ///< how those of the invocation differ from others of the directory
  friend auto operator<=>(const Conditions&, const Conditions&) = default;
};

/// How the circumstances of each invocation of a directory of results differ from the others, in
/// words (provenance.hpp).
class InvocationNames {
 public:
  explicit InvocationNames(const std::string& directory);
  std::string of(int invocation) const;

 private:
  std::map<int, std::string> names_;
};

Conditions conditions_of(const Record& record, const InvocationNames& invocations);

/// The runs of one setting: they differ in repetition and seed, and in nothing else. Where these
/// draw the items, the runs have different problems, whose times are no samples of one time: only
/// their ratios to the ideal of each can be seen together.
struct RunSetting {
  Task task;                                     ///< of the first
  std::shared_ptr<const Conditions> conditions;  ///< nullptr where no run ended well
  bool elsewhere = false;                        ///< the same was run at other places, too
  std::size_t runs = 0;

  // Of those that ended well.
  std::size_t ok = 0;
  std::vector<std::string> names;  ///< their fingerprints
  std::set<std::uint64_t> seeds;
  std::set<int> repetitions;
  std::vector<double> regroups_avg, regroups_stdev, regroups_min, regroups_max;
  std::vector<double> wall_s, memory_mb;

  /// The runs of one problem.
  struct Problem {
    std::vector<double> makespans_s, ideals_s, bounds_s;
    double makespan_s() const;  ///< their median
  };
  std::map<std::string, Problem> problems;
  /// The problem; nullptr where there are several: their times are not put together.
  const Problem* only_problem() const {
    return problems.size() == 1 ? &problems.begin()->second : nullptr;
  }

  /// The times that no run can beat: the ideals or, if the speed-up is configured and not perfect,
  /// so that the ideal is out of reach, the bounds.
  std::vector<double> Problem::*least_s() const;
  /// For each problem, the median over its runs of makespan divided by `to`; without problems whose
  /// runs lack that time.
  std::vector<double> ratios(std::vector<double> Problem::*to) const;

  /// The makespan relative to that of the same problems in `real`, minus one: the median over the
  /// problems that both have; nothing where they have none in common.
  std::optional<double> off(const RunSetting& real) const;
};

/// In the order of the first run of each; there may be a million of them.
using RunSettings = std::deque<RunSetting>;

/// The runs in a directory of results that meet `where`, by their settings.
RunSettings run_settings(const std::string& directory, const Catalog& catalog,
                         const Where& where = {});

/// `task` with the `usual` values of all in which runs of one setting may differ: repetition, seed,
/// and what balancers only believe about the walker.
Task setting_of(Task task, const Task& usual);

/// "asynchronous(release)": the balancer of a run with its options, without its strategy.
std::string balancer_of(const Task& run);

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
std::span<const PaperRow> paper_rows();

/// The paper's row for the balancer of `task`; nullptr where it has none, or where the run is not
/// the paper's experiment (groups of 4, cyclic workload).
const PaperRow* paper_row(const Task& task);

/// Measurements of one setting, for a summary.
struct TitledSetting {
  std::string title;    ///< in one line
  std::string panel;    ///< what distinguishes it from other settings, beside ranks
  const Record* first;  ///< of its records
  MeasuredSetting setting;
};

/// Those of `records`, the measurements in a directory, that ended well by their settings: same
/// ranks, cores, place, waiting, circumstances and options that a summary does not compare. Where
/// the seed draws the groups, it is the same, too.
std::vector<TitledSetting> measured_settings(const MeasurementKind& kind,
                                             const std::string& directory,
                                             const std::vector<Record>& records);

/// One line for each reason why some are unsupported, and one for each that did not end well.
std::string describe_left_out(const std::vector<Record>& records);

}  // namespace regroup
