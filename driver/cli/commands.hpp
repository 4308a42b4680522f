// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands that this folder implements. Those that return a number return the exit code. All
// throw UserError for mistakes of the user.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"
#include "driver/execute/sweep.hpp"
#include "driver/store/record.hpp"

namespace regroup {

/// `regroup run`: executes all tasks, as run_sweep() does, and prints a summary of measurements.
int run(Experiment experiment, const SweepOptions& options);

struct PlanOptions {
  Selection which;
  std::string format = "text";  ///< text, json or slurm
  int shards = 0;               ///< show the division into so many; 0: the tasks
  bool probe = false;           ///< measure items of walkers that take their own time
  int ranks_per_node = 0;       ///< 0: as many as this machine has cores
  std::string results;          ///< directory to learn launch times from; empty: the usual one
};

/// `regroup plan`: prints every task of a configuration with its predicted time, and the sum; or
/// the resources that a job must ask for.
void print_plan(const Experiment& experiment, const PlanOptions& options);

/// `regroup list`: prints all lists of plug-ins and all parameters, with their options; with a
/// `word`, only the list of that name. `format`: text, markdown (tables) or json, which without a
/// word also has the keys of configurations and the columns of results.
void print_lists(const std::string& word, const std::string& format, const Catalog& catalog);

/// The words that print_lists() takes, for its help.
std::string describe_lists(const Catalog& catalog);

/// `regroup table`: of runs, the regroup statistics beside the paper's, and the times, as text,
/// markdown, latex, csv or json. Of measurements, a summary as text, or medians as csv or json.
struct TableOptions {
  std::string directory;
  std::string format = "text";
  Where where;
  std::vector<std::string> by;  ///< keys; empty: a row for each setting
  bool check = false;  ///< exit code 1 where a guideline of communicator creation is violated
};
int print_table(const TableOptions& options, const Catalog& catalog);

struct CompareOptions {
  std::array<std::string, 2> directories;  ///< A and B
  std::string worse = "5%";                ///< tolerated loss
  std::string format = "text";             ///< or markdown, or json
  Where where;                             ///< of both
};

/// `regroup compare`: prints which times differ between A and B by more than chance; 1 where one is
/// slower in B by more than is tolerated.
int compare(const CompareOptions& options, const Catalog& catalog);

struct ReportOptions {
  std::vector<std::string> directories;  ///< one, or two to be compared
  std::vector<std::string> runs;         ///< in the timeline
  Where where;
  std::string output;
};

/// `regroup report`: becomes plots/report.py, which creates a page of results.
[[noreturn]] void make_report(const ReportOptions& options);

struct TraceOptions {
  std::string directory;  ///< of results
  std::string run;        ///< empty: the last that formed groups, else the last that ended well
  std::string ranks;      ///< "0-63"; empty: all
  std::string output;     ///< empty: DIRECTORY/RUN.trace.json
};

/// `regroup trace`: writes a run as JSON for Perfetto and chrome://tracing, and prints the name of
/// the file.
void write_trace(const TraceOptions& options, const Catalog& catalog);

struct GroupsCheckOptions {
  std::string file;
  int ranks = 0;      ///< of all processes; 0: as many as `hosts` have slots
  std::string hosts;  ///< hostfile, or NAME:SLOTS,NAME,…; empty: members are given by rank
  std::string format = "text";  ///< or json
};

/// `regroup groups check`: prints the tree of groups that a file defines, with their members.
void check_groups_file(const GroupsCheckOptions& options);

/// Exactly one of group_size, hosts and results is given.
struct GroupsMakeOptions {
  std::string name = "GROUP";
  int ranks = 0;
  int group_size = 0;
  std::string hosts;    ///< one group for each host
  std::string results;  ///< a directory: the groups at the end of a run
  std::string run;      ///< which run; empty where there is only one
};

/// `regroup groups make`: prints a file that defines groups.
void make_groups_file(const GroupsMakeOptions& options);

}  // namespace regroup
