// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "jobs/advice/prices.hpp"
#include "jobs/commands/planned.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/sweep/sweep.hpp"

namespace regroup {

class Judge;

// The subcommands. Each answers the program's exit code.

/// Executes all tasks, as run_sweep() does. Of measurements it prints a summary of all that the
/// results hold; `check`: where all went well, the exit code is that of the guidelines.
int run(Experiment experiment, const SweepOptions& options, bool check);

/// Launches ranks to see what they find, in a job or outside of one, and prints what it means, a
/// line each: two, and then `ranks`; 0: as many as the configuration `config` has at most or, where
/// that has no path, as the job gives. 1 where something is wrong.
int preflight(const ConfigSource& config, int ranks);

/// Every task of a configuration with its predicted time, and the sum; or what a job must ask for.
int print_plan(const Experiment& experiment, const PlanOptions& options);

/// Of runs, the regroup statistics beside the paper's, and the times. `format`: text, markdown,
/// latex, csv, json. Of measurements, their summary as text, or their rows as csv and json.
/// `check`: the exit code is that of the guidelines of creation.
int print_table(const std::string& directory, const std::string& format, bool check);

/// Repeats the paper's experiments and judges them claim by claim. 1 where a claim is neither met
/// nor explained.
struct AskedClaims {
  std::string what = "all";     ///< table1, figure2, or both, in virtual time; or figure1, measured
  std::string format = "text";  ///< or json
  std::string directory;        ///< of measurements for figure1; empty: they are made
  std::string out;              ///< where to; empty: results/figure1
  std::vector<std::string> changes;  ///< of their configuration, as by --set
  std::string command;               ///< the command line, for the provenance
};
int reproduce(const AskedClaims& asked);
inline constexpr int some_did_not_end_well = 1;

/// Those of Figure 1: measures what is missing, or takes what `asked.directory` holds. Answers the
/// exit code of the measurements.
int judge_figure1(const AskedClaims& asked, Judge& judge);

/// Which balancer and strategy serve the problems of a configuration of runs best, what that saves,
/// and when another choice would be better.
int advise(const Experiment& experiment, const AskedPrices& asked, bool json);
std::vector<std::string> costs_without_files();  ///< the cost models that need none

/// What became slower or faster from A to B, and whether chance explains it; 1 where something is
/// slower by more than `worse`, "5%".
struct CompareOptions {
  std::array<std::string, 2> directories;
  std::string worse = "5%";
  std::string format = "text";  ///< or markdown, or json
};
int compare(const CompareOptions& asked);

/// Recomputes what the results in a directory say; 1 where something is not as it must be.
int verify(const std::string& directory);

}  // namespace regroup
