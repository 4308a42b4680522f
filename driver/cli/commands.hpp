// SPDX-License-Identifier: BSD-3-Clause
//
// What the subcommands do that have no header of their own. Each returns the exit code.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/execute/sweep.hpp"

namespace regroup {

/// Executes all tasks, as run_sweep() does. Of measurements it prints a summary of all results.
int run(Experiment experiment, const SweepOptions& options);

/// Of runs, the regroup statistics beside the paper's, and the times. `format`: text, markdown,
/// latex, csv, json. Of measurements, their summary as text, or their medians as csv and json.
/// `check`: the exit code says whether the guidelines of creation hold: 1 where one is violated.
int print_table(const std::string& directory, const std::string& format, bool check,
                const Catalog& catalog);

/// What became slower or faster from A to B, and whether chance explains it; 1 where something is
/// slower by more than `worse`, "5%".
struct CompareOptions {
  std::array<std::string, 2> directories;
  std::string worse = "5%";
  std::string format = "text";  ///< or markdown, or json
};
int compare(const CompareOptions& options, const Catalog& catalog);

/// Makes a page of results by plots/report.py.
struct ReportOptions {
  std::vector<std::string> directories;  ///< one, or two to be compared
  std::vector<std::string> runs;         ///< in the timeline
  std::string output;
};
int make_report(const ReportOptions& options);

}  // namespace regroup
