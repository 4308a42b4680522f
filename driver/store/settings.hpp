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

/// The conditions of a row besides its parameters.
struct Conditions {
  std::string waited;
  int cores = 0;
  bool oversubscribed = false;
  std::string placement;
  std::string circumstances;  ///< how those of its invocation differ, see InvocationNames
  friend auto operator<=>(const Conditions&, const Conditions&) = default;
};

/// Describes how the circumstances of each invocation of a directory of results differ from those
/// of the others (provenance.hpp).
class InvocationNames {
 public:
  explicit InvocationNames(const std::string& directory);
  std::string of(int invocation) const;

 private:
  std::map<int, std::string> names_;
};

Conditions conditions_of(const Record& record, const InvocationNames& invocations);

/// The runs of one setting, which differ only in repetition and seed. If these draw the items, the
/// runs have different problems. Then their makespans cannot be combined, but the ratios to the
/// ideal of each problem can.
struct RunSetting {
  Task task;                                     ///< of the first run
  std::shared_ptr<const Conditions> conditions;  ///< nullptr if no run ended well
  bool elsewhere = false;  ///< the same parameters also ran with another placement
  std::size_t runs = 0;

  // Of the runs that ended well.
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
  /// Returns the problem; nullptr unless there is exactly one.
  const Problem* only_problem() const {
    return problems.size() == 1 ? &problems.begin()->second : nullptr;
  }

  /// Returns the member with the lower limits of makespans: the ideals, or the bounds if the
  /// configured speed-up is not perfect, which puts the ideals out of reach.
  std::vector<double> Problem::*least_s() const;
  /// Returns for each problem the median over its runs of makespan divided by `to`. Problems for
  /// which `to` is unknown are omitted.
  std::vector<double> ratios(std::vector<double> Problem::*to) const;

  /// Returns the error of the makespan relative to `real`, as the median over the common problems;
  /// nullopt if there are none.
  std::optional<double> off(const RunSetting& real) const;
};

/// Settings in the order of the first run of each; there may be a million.
using RunSettings = std::deque<RunSetting>;

/// Returns the runs in a directory of results that meet `where`, grouped by setting.
RunSettings run_settings(const std::string& directory, const Catalog& catalog,
                         const Where& where = {});

/// Returns `task` without differences that runs of one setting may have: repetition and seed are 0,
/// and beliefs of balancers about items that set their own times are those of `usual`.
Task setting_of(Task task, const Task& usual);

/// Returns the balancer of a run with its options, without its strategy: "asynchronous(release)".
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

/// Returns the paper's row for the balancer of `task`; nullptr if there is none, or if the run is
/// not the paper's experiment (groups of 4, cyclic workload).
const PaperRow* paper_row(const Task& task);

/// Measurements of one setting, for a summary.
struct TitledSetting {
  std::string title;    ///< in one line
  std::string panel;    ///< how it differs from other settings, except in ranks
  const Record* first;  ///< record of the setting
  MeasuredSetting setting;
};

/// Groups the measurements in `records` that ended well by setting: equal ranks, cores, placement,
/// waiting, circumstances, options that a summary does not compare and, if the seed draws the
/// groups, equal seeds. `records` are those in `directory`.
std::vector<TitledSetting> measured_settings(const MeasurementKind& kind,
                                             const std::string& directory,
                                             const std::vector<Record>& records);

/// Returns a line for each reason of unsupported measurements and for each that did not end well.
std::string describe_left_out(const std::vector<Record>& records);

}  // namespace regroup
