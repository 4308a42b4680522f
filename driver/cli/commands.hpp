// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands that this folder implements. Those that return an int return the exit code. All
// throw UserError if the user made a mistake.
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
  int shards = 0;               ///< show the division into this number of shards; 0: show the tasks
  bool probe = false;           ///< measure item times of walkers that compute
  int ranks_per_node = 0;       ///< 0: the number of cores of this machine
  std::string results;          ///< directory to learn launch times from; empty: the usual one
};

/// `regroup plan`: prints the tasks of a configuration with their predicted times, and the sum; or
/// the resources that a job must request.
void print_plan(const Experiment& experiment, const PlanOptions& options);

/// `regroup list`: prints all lists of plug-ins and parameters, with their options; with a `word`,
/// only the list of that name. `format`: text, markdown (tables) or json, which without a word also
/// contains the keys of configurations and the columns of results.
void print_lists(const std::string& word, const std::string& format, const Catalog& catalog);

/// Describes the words that print_lists() takes, for its help.
std::string describe_lists(const Catalog& catalog);

/// `regroup table`: for runs, prints regroup statistics beside the paper's, and times, as text,
/// markdown, latex, csv or json; for measurements, a summary (text) or medians (csv, json).
struct TableOptions {
  std::string directory;
  std::string format = "text";
  Where where;
  std::vector<std::string> by;  ///< keys; empty: a row for each setting
  bool check = false;           ///< exit code 1 if a guideline of communicator creation is violated
};
int print_table(const TableOptions& options, const Catalog& catalog);

struct CompareOptions {
  std::array<std::string, 2> directories;  ///< A and B
  std::string worse = "5%";                ///< tolerated loss
  std::string format = "text";             ///< or markdown, or json
  Where where;                             ///< of both
};

/// `regroup compare`: prints which times differ significantly between A and B; returns 1 if one is
/// slower in B by more than `worse`, 2 if none could be judged.
int compare(const CompareOptions& options, const Catalog& catalog);

struct ReportOptions {
  std::vector<std::string> directories;  ///< one, or two to compare
  std::vector<std::string> runs;         ///< in the timeline
  Where where;
  std::string output;
};

/// `regroup report`: replaces this process by plots/report.py, which creates a page of results.
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
  int ranks = 0;      ///< number of all processes; 0: the number of slots of `hosts`
  std::string hosts;  ///< hostfile, or NAME:SLOTS,NAME,…; empty: members are given by rank
  std::string format = "text";  ///< or json
};

/// `regroup groups check`: prints the tree of groups that a file defines, with their members.
void check_groups_file(const GroupsCheckOptions& options);

/// The options of `regroup groups make`; one of group_size, hosts and results must be given.
struct GroupsMakeOptions {
  std::string name = "GROUP";
  int ranks = 0;
  int group_size = 0;
  std::string hosts;    ///< one group for each host
  std::string results;  ///< a directory: the groups at the end of one of its runs
  std::string run;      ///< hash of the run; may be empty if there is only one
};

/// `regroup groups make`: prints a file that defines groups.
void make_groups_file(const GroupsMakeOptions& options);

}  // namespace regroup
