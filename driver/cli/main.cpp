// SPDX-License-Identifier: BSD-3-Clause
//
// The command line: one function for each subcommand declares its options, and one row of a table
// names it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/advise/advice.hpp"
#include "driver/advise/probe.hpp"
#include "driver/check/check_balancer.hpp"
#include "driver/check/preflight.hpp"
#include "driver/check/reproduce.hpp"
#include "driver/check/verify.hpp"
#include "driver/cli/commands.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/extension.hpp"
#include "driver/execute/python_walkers.hpp"
#include "driver/store/merge.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "library/version.hpp"
#include "regroup/program.hpp"

namespace regroup {
namespace {

/// The command line: the options of all subcommands, and the exit code.
struct CommandLine {
  explicit CommandLine(const Catalog& all) : catalog(all) {}

  const Catalog& catalog;
  std::string text;  ///< all words, for the provenance
  int code = 0;      ///< exit code

  // Options of several subcommands.
  ConfigSource config{""};
  std::string format = "text";
  std::string directory;
  // Options of one subcommand.
  SweepOptions sweep;
  PlanOptions plan;
  bool brief = false;
  std::string word;
  int ranks = 0;
  MergeOptions merge;
  TableOptions table;
  CompareOptions compare;
  ReportOptions report;
  ReproduceOptions reproduce;
  AskedPrices prices;
  double probe_s = 0;
  AskedCheck check;
  TraceOptions trace;
  GroupsCheckOptions groups_check;
  GroupsMakeOptions groups_make;
};

// ---- options of several subcommands

/// Adds the configuration file of a command, and --set.
CLI::Option* add_config(CLI::App& command, ConfigSource& config,
                        const std::string& help = "configuration, a YAML file") {
  command
      .add_option("--set", config.changes,
                  "KEY=VALUE: replace a value of CONFIG, as in ranks=64 or 'ranks=[32, 64]'. May "
                  "be repeated.")
      ->allow_extra_args(false);
  return command.add_option("config", config.path, help);
}

std::string not_empty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

void add_selection(CLI::App& command, Selection& which, bool runs) {
  const std::string verb = runs ? "run" : "list";
  command.add_option("--only", which.only,
                     verb +
                         " only tasks whose description, as printed by `regroup plan`, "
                         "contains TEXT");
  command
      .add_option("--shard", which.shard,
                  "I/N: " + verb + " only the I-th of N parts" +
                      (runs ? ", for instance in one job of an array. Its results are stored in "
                              "OUT/shard-I-of-N, and `regroup merge OUT` combines all parts."
                            : ""))
      ->check(not_empty);
  command
      .add_option("--one", which.one,
                  verb +
                      " only the task with this hash, as printed by `regroup plan CONFIG "
                      "--format json`" +
                      (runs ? ". Its row is added to existing results." : ""))
      ->check(not_empty);
}

CLI::Option* add_format(CLI::App& command, std::string& format, std::vector<std::string> formats) {
  return command.add_option("--format", format, "format of the output [text]")
      ->check(CLI::IsMember(std::move(formats)));
}

void add_where(CLI::App& command, Where& where) {
  command
      .add_option("--where", where,
                  "KEY=VALUE[,VALUE…]: select results by the value of a parameter, an option, or a "
                  "column such as `cores`. If repeated, all conditions must hold.")
      ->allow_extra_args(false);
}

/// Help that begins with an example, and names the program as it was called.
class Help : public CLI::Formatter {
 public:
  explicit Help(std::string example = "") : example_(std::move(example)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    const std::string example = example_.empty() ? "" : "\n  regroup " + example_ + "\n\n";
    return example + CLI::Formatter::make_usage(app, std::move(name));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return folded(as_called(option->get_description()), 80 - get_column_width(), 0);
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name =
        make_option_name(option, true) + (option->get_expected_max() > 1 ? "..." : "");
    return option->get_required() ? name : "[" + name + "]";
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return as_called(CLI::Formatter::make_help(app, std::move(name), mode));
  }

 private:
  /// Returns `text` with the program's own name instead of `regroup` and, for a program without
  /// configs/, with names of files that the user may have.
  static std::string as_called(std::string text) {
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
      }
    };
    for (const char* before : {" ", "'", "`", "("}) {
      replace(std::string(before) + "regroup ", before + quoted(program_call()) + " ");
    }
    if (program_name() != "regroup") {
      replace("configs/demo.yaml", "mine.yaml");
      replace("results/demo", "results/mine");
    }
    return text;
  }

  std::string example_;
};

// ---- subcommands

void add_run(CLI::App& command, CommandLine& line) {
  line.sweep.command = line.text;
  command.footer(
      R"(The configuration lists runs or measurements, called tasks. Runs use MPI
processes (`engine: mpi`) or simulate up to a million ranks in virtual time
(`engine: virtual`).

Each task adds a row to OUT/runs.csv, or to OUT/KIND.csv for measurements. If a
task fails, is killed or exceeds its time limit, its row contains the reason,
and the sweep continues. Ctrl-C stops the sweep; --resume runs the remaining
tasks.

Exit code: 0 all tasks ended well or are unsupported, 1 some tasks failed, 2
error in the configuration or command line, 75 some tasks have no result (rerun
with --resume) or Slurm is too busy to start processes, 130 interrupted.)");
  add_config(command, line.config)->required();
  command
      .add_option("--out", line.sweep.directory, "directory for the results [results/EXPERIMENT]")
      ->check(not_empty);
  add_selection(command, line.sweep.which, true);
  command
      .add_option("--jobs", line.sweep.jobs,
                  "number of virtual runs to simulate at the same time [number of cores, or fewer "
                  "if memory does not suffice]. With 1, the memory of each run is measured (column "
                  "`memory_mb`). Runs on MPI processes are always executed one at a time.")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--resume", line.sweep.resume,
                   "continue an interrupted sweep: run only the tasks that have no result yet");
  command.add_flag("--retry", line.sweep.retry,
                   "like --resume, and also repeat tasks that did not end well");
  command.add_option("--states", line.sweep.states,
                     "continue chains from the states in this directory (OUT/logs/RUN.states), "
                     "which an earlier run has saved. CONFIG must set `save_every` or "
                     "`keep_states`, so that the new runs save states, too.");
  command
      .add_option("--extend", line.sweep.extend,
                  "continue finished chains for this number of additional items, from their final "
                  "states. Needs `keep_states: true`. Each longer run adds a row to runs.csv, with "
                  "the setting `extra_items`. After an interrupt, add --resume.")
      ->check(CLI::Range(1, ExtendedRuns::most_extra_items));
  command.add_flag("--overwrite", line.sweep.overwrite, "delete existing results first");
  command.add_flag("--mixed", line.sweep.mixed,
                   "add to existing results even if the launcher, environment, MPI library, "
                   "version or machine differs. Tables list such results separately.");
  command.add_flag("-q,--quiet", line.sweep.quiet, "print only warnings and errors");
  command.callback([&line] {
    if (line.sweep.extend > 0) {
      const int items = extended_items(read_experiment(line.config, line.catalog), line.sweep);
      line.config.changes.push_back(fmt::format("extra_items={}", items));
    }
    line.code = run(read_experiment(line.config, line.catalog), line.sweep);
  });
}

void add_plan(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Prints the tasks of a configuration with their predicted durations, and starts
none of them. To submit one batch job for all tasks, or an array of 8 jobs:
  sbatch $(regroup plan CONFIG --format slurm \
    --ranks-per-node 64) jobs/slurm.sh CONFIG
  sbatch $(regroup plan CONFIG --format slurm --shards 8 \
    --ranks-per-node 64) jobs/slurm_array.sh CONFIG
The time limit of the job is 1.5 times the predicted time plus two minutes. For
runs whose item time is unknown, their `timeout_s` is added instead. --probe
measures unknown item times; the item times of the walkers `sleep`, `spin` and
`rounds` are always known. Launch times are taken from earlier results; the
default is 0.3 s plus 12 ms per rank.)");
  add_config(command, line.config)->required();
  command.add_flag("--brief", line.brief,
                   "print only the kind and the name of the experiment, for scripts");
  add_selection(command, line.plan.which, false);
  command.add_option("--shards", line.plan.shards, "show how tasks are divided into N parts")
      ->check(CLI::Range(1, 1'000'000));
  command.add_flag("--probe", line.plan.probe,
                   "briefly measure item times of walkers on this machine, unless they are known");
  add_format(command, line.plan.format, {"text", "json", "slurm"});
  command
      .add_option("--ranks-per-node", line.plan.ranks_per_node,
                  "ranks per node of the target machine [number of cores of this machine]")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option(
      "--results", line.plan.results,
      "directory of earlier results, from which launch times are read [results/EXPERIMENT]");
  command.callback([&line] {
    const Experiment experiment = read_experiment(line.config, line.catalog);
    if (line.brief) return print_out("{} {}\n", experiment.kind(), experiment.name);
    print_plan(experiment, line.plan);
  });
}

void add_list(CLI::App& command, CommandLine& line) {
  command.footer("");  // removes the footer of all subcommands
  command.footer([&line] { return describe_lists(line.catalog); });
  command.add_option("word", line.word, "name of a list, see below [all lists of the first group]");
  add_format(command, line.format, {"text", "markdown", "json"});
  command.callback([&line] { print_lists(line.word, line.format, line.catalog); });
}

void add_preflight(CLI::App& command, CommandLine& line) {
  command.footer(R"(To check the nodes of a cluster, run it at the start of a job:
  salloc -N 4 --ntasks-per-node=64 regroup preflight
In a Slurm job on several hosts, the default launcher is srun. Preflight first
starts two ranks to find launcher options with which they connect, and then all
ranks. Each line of its output begins with `ok`, `warning` or `wrong`:
  launcher       whether two ranks connect to each other; if not, launcher and
                 MPI library share no version of the process manager interface
  ranks          number of ranks and hosts
  processors     whether each rank has a processor of its own
  messages       latency of 8 bytes between hosts and within a host
  clocks         possible error when times of different hosts are compared
  /dev/shm       free space per rank
  communicators  number of communicators that a rank can have at the same time
  constructors   whether the MPI library has the functions that communicator
                 strategies call; if not, which strategies cannot be used
No file is written.

Exit code: 0 no errors (warnings are allowed), 1 a check failed, 2 error in the
configuration or command line.)");
  add_config(command, line.config,
             "configuration whose launcher, environment and number of ranks are checked");
  command
      .add_option("--ranks", line.ranks,
                  "number of ranks [largest number of ranks in CONFIG; without CONFIG, that of the "
                  "Slurm job or, outside a job, the number of cores]")
      ->check(CLI::Range(2, 1'000'000));
  command.callback([&line] { line.code = preflight(line.config, line.ranks, line.catalog); });
}

void add_merge(CLI::App& command, CommandLine& line) {
  command.footer(R"(To run three shards at the same time and combine their results:
  for i in 1 2 3; do regroup run CONFIG --shard $i/3 --resume & done; wait
  regroup merge results/EXPERIMENT
If several directories contain a result of the same task, a result that ended
well is preferred. Among equal ones, a result in OUT is preferred, then that of
the first directory. DIRECTORIES are not changed. A later merge adds new results.
Results of another configuration, launcher, environment, MPI library, version or
machine need --mixed.

Exit code: 0 merged, even if tasks are missing (a message lists them), 2 error.)");
  command.add_option("out", line.merge.into, "directory to which results are added")->required();
  command.add_option("directories", line.merge.directories,
                     "directories of results to add [OUT/shard-*-of-*]");
  command.add_flag("--mixed", line.merge.mixed,
                   "also merge results of different configurations, launchers, environments, MPI "
                   "libraries, versions or machines. Tables list such results separately.");
  command.callback([&line] { merge(line.merge, line.catalog); });
}

void add_table(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Each row combines the repetitions of a run or measurement. If a `text` or
`markdown` table had more than 100 rows, a summary by workload and balancer is
printed instead. The formats `csv` and `json` are for programs;
`regroup list table.csv` describes their columns. With `--format rows`, the
selected rows of runs.csv are printed.

To find the best balancer for one workload and number of ranks:
  regroup table DIRECTORY --where workload=uniform --where ranks=512 \
    --by balancer)");
  command.add_option("directory", line.table.directory, "directory of results")->required();
  add_format(command, line.table.format, {"text", "markdown", "latex", "csv", "json", "rows"});
  add_where(command, line.table.where);
  command
      .add_option("--by", line.table.by,
                  "KEY,KEY…: print one row for each combination of values of these keys. It "
                  "contains the median and the maximum, over its runs, of two ratios: makespan / "
                  "lower bound, and makespan / makespan with the balancer `none`.")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--check", line.table.check,
                   "check guidelines for the times in creation.csv, for instance that `range` "
                   "costs no more than any other strategy. The exit code is 1 if a guideline is "
                   "violated, 2 if there are too few samples or if no guideline applies.");
  command.callback([&line] { line.code = print_table(line.table, line.catalog); });
}

void add_compare(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(A row of A and a row of B are paired if their parameters agree, except for
parameters that are constant within A and constant within B. For each column
with a time, the ratio B / A is printed with a confidence interval. The interval
is computed from repetitions (8 are enough) or, without repetitions, from the
confidence interval of the median in each row. Virtual times are compared
exactly.

Exit code: 1 if B is slower than A by more than --worse (the whole confidence
interval of a ratio is above this limit), 2 if nothing can be compared or judged
or after an error, otherwise 0.)");
  command.add_option("a", line.compare.directories[0], "directory of results, the reference")
      ->required();
  command.add_option("b", line.compare.directories[1], "directory of results to compare with A")
      ->required();
  command.add_option("--worse", line.compare.worse, "tolerated slowdown [5%]");
  add_format(command, line.compare.format, {"text", "markdown", "json"});
  add_where(command, line.compare.where);
  command.callback([&line] { line.code = compare(line.compare, line.catalog); });
}

void add_report(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(The page is one file that needs no network. It contains findings, warnings, the
table, an interactive timeline, pictures, provenance, and the command to repeat
the experiment. For two directories, the page shows the results of both and the
ratios of their times, computed by `regroup compare`. The script
plots/report.py writes the page; it needs Python with jinja2, plotly, matplotlib
and pandas. The other scripts in plots/ draw single pictures.

Exit code: 0, or 2 after an error, such as unreadable results or a missing
module.)");
  command
      .add_option("directories", line.report.directories,
                  "one directory of results, or two directories to compare")
      ->required()
      ->expected(1, 2);
  command
      .add_option("--run", line.report.runs,
                  "show this run in the timeline. TEXT is the hash of the run in the column `run` "
                  "of runs.csv. May be repeated [one run for each combination of balancer, options "
                  "and strategy]")
      ->expected(1)
      ->take_all();
  add_where(command, line.report.where);
  command.add_option("-o,--output", line.report.output, "output file [DIRECTORY/report.html]");
  command.callback([&line] { make_report(line.report); });
}

void add_verify(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Recomputes all results from the events and parameters of each run, and repeats
virtual runs. Events are also checked: groups must partition the ranks at all
times, each member of a group must execute each item of the group exactly once,
and all ranks must stop.

Exit code: 0 all results agree, 1 violations were found, which are printed with
file and line.)");
  command.add_option("directory", line.directory, "directory of results")->required();
  command.callback([&line] { line.code = verify(line.directory, line.catalog); });
}

void add_reproduce(CLI::App& command, CommandLine& line) {
  line.reproduce.command = line.text;
  command.footer(
      R"(The paper: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI
2011. Each claim is printed with the numbers of the paper and the new ones.
  table1   regroupings per process
  figure2  execution time by number of ranks
  failure  loss of a rank
  all      table1, figure2 and failure
  figure1  cost of creating a communicator by group size
`figure1` is measured on this machine with 32 processes in one or two minutes,
unless DIRECTORY or the directory of --out contains measurements. The others are
simulated in some seconds.
`plots/figure1.py results/figure1` draws Figure 1; `jobs/local.sh
configs/figure2.yaml` repeats and draws Figure 2.

Exit code: 0 no claim is MISSED (not confirmed), 1 a claim is MISSED, 2 an error
or too few samples, otherwise the exit code of `regroup run`.)");
  command.add_option("what", line.reproduce.what, "experiment to repeat, see below [all]")
      ->check(CLI::IsMember({"table1", "figure2", "failure", "figure1", "all"}));
  command.add_option(
      "directory", line.reproduce.directory,
      "for `figure1`: directory of existing measurements, which are evaluated instead of new ones");
  command.add_option("--out", line.reproduce.out,
                     "for `figure1`: directory for new measurements [results/figure1]");
  command
      .add_option("--set", line.reproduce.changes,
                  "KEY=VALUE, for `figure1`: replace a value of the configuration, as in ranks=64. "
                  "May be repeated.")
      ->allow_extra_args(false);
  add_format(command, line.reproduce.format, {"text", "json"});
  command.callback([&line] { line.code = reproduce(line.reproduce, line.catalog); });
}

void add_advise(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Simulates all balancers and communicator strategies for each combination of
ranks, group_size, item_ms, workload, speedup and jitter in CONFIG. For each
combination, it prints
  - the best choice, and the time that it saves compared with the balancer
    `none` and with the second-best choice,
  - the cost of communicators above which another choice is at least 1 % faster
    than the best choice, and the item time below which this is so,
  - the best number of ranks per group at the start,
  - lines to paste into a configuration.
Times are medians over seeds and repetitions.

Item times are computed from item_ms and speedup. With --probe, item times in
groups of 1, 2, 4, … ranks are measured first. This is useful for walkers whose
item times are unknown (all but `sleep`, `spin` and `rounds`).

Communication costs are taken from the first of these sources that exists:
  1. --costs, or --creation and --steps
  2. the key `costs` in CONFIG
  3. the newest results/*/creation.csv and results/*/steps.csv
  4. the cost model `cluster`
To create the files creation.csv and steps.csv, run configurations with
`measure: creation` and `measure: steps`.

Exit code: 0, or 2 after an error in the configuration, the command line or a
cost file.)");
  add_config(command, line.config, "configuration, a YAML file. Its balancers are ignored.")
      ->required();
  command.add_option("--costs", line.prices.costs, "cost model, see `regroup list costs`")
      ->check(CLI::IsMember(costs_without_files(line.catalog)));
  command.add_option("--creation", line.prices.creation,
                     "file creation.csv with measured costs. Needs --steps.");
  command.add_option("--steps", line.prices.steps,
                     "file steps.csv with measured costs. Needs --creation.");
  CLI::Option* probed =
      command
          .add_option("--probe", line.probe_s,
                      "measure items of the walker for about this time, as in 10s or 2min")
          ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}},
                                            CLI::AsNumberWithUnit::UNIT_REQUIRED))
          ->type_name("TIME");
  add_format(command, line.format, {"text", "json"});
  command.callback([&line, probed] {
    const Experiment experiment = read_experiment(line.config, line.catalog);
    if (!experiment.of_runs()) {
      throw UserError(fmt::format(
          "{}: advise needs a configuration of runs, and this one contains measurements of {}",
          experiment.file, experiment.kind()));
    }
    const bool json = line.format == "json";
    if (probed->count() == 0) return print_advice(experiment, line.prices, json);
    if (json)
      throw UserError(
          "--probe prints its progress as text; it cannot be combined with --format json");
    const ProbedItems items = probe(experiment, line.probe_s);
    print_out("items measured, {}:\n{}\n", items.file, items.text());
    ConfigSource source = line.config;
    std::vector<std::string> to_paste;
    for (const auto& [key, value] : items.keys()) {
      source.changes.push_back(key + "=" + value);
      to_paste.push_back(key + ": " + value);
    }
    print_advice(read_experiment(source, line.catalog), line.prices, false, to_paste);
  });
}

void add_check(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(First, small runs are executed with all possible orders of events. Groups must
partition the ranks, each item must be executed exactly once, and the end of the
run must always be reachable. Then large random runs are executed in virtual
time. After an error, the shortest sequence of events that leads to it is
printed.

Exit code: 0 no error found, 1 an error found, 2 error in the command line.)");
  command
      .add_option("balancer", line.check.balancer,
                  "name of a balancer, from `regroup list balancers`")
      ->required();
  command
      .add_option("--seconds", line.check.seconds,
                  "time in seconds after which no more small runs are started, for each "
                  "combination of the balancer's options [20]")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--runs", line.check.runs, "number of large random runs [1000]")
      ->check(CLI::Range(0, 10'000'000));
  command.callback([&line] { line.code = check_balancer(line.check, line.catalog); });
}

void add_trace(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Writes JSON for Perfetto (https://ui.perfetto.dev) and chrome://tracing. The
viewer shows one line for each rank (as a thread), with its walkers, its idle
times, and the creation of its groups. Times of virtual runs are virtual.)");
  command.add_option("directory", line.trace.directory, "directory of results")->required();
  command.add_option(
      "run", line.trace.run,
      "hash of the run, from the column `run` of runs.csv [last run with regroupings]");
  command.add_option("--ranks", line.trace.ranks, "FIRST-LAST: export only these ranks [all]");
  command.add_option("-o,--output", line.trace.output, "output file [DIRECTORY/RUN.trace.json]");
  command.callback([&line] { write_trace(line.trace, line.catalog); });
}

void add_groups_check(CLI::App& groups, CommandLine& line) {
  CLI::App* command = groups.add_subcommand(
      "check", "Print the tree of groups that a file defines, with their members");
  command->formatter(std::make_shared<Help>("groups check groups.yaml --ranks 8"));
  command->footer(
      R"(FILE defines communicators by name, in YAML or in XML; see
docs/named-communicators.md:
  communicators:
    - name: RED
      members: [pd-01, 'pd-02:0', 'pd-1[0-9]', 4-7]   # processors, expressions,
      communicators: [{name: PINK, members: [pd-01]}] # ranks
)");
  command->add_option("file", line.groups_check.file, "file that defines groups")->required();
  command
      ->add_option("--ranks", line.groups_check.ranks,
                   "number of processes [number of slots in --hosts]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", line.groups_check.hosts,
                      "hosts in the order of ranks: a hostfile, or NAME:SLOTS,NAME,…");
  add_format(*command, line.groups_check.format, {"text", "json"});
  command->callback([&line] { check_groups_file(line.groups_check); });
}

void add_groups_make(CLI::App& groups, CommandLine& line) {
  CLI::App* command = groups.add_subcommand("make", "Print a new file that defines groups");
  command->formatter(std::make_shared<Help>("groups make --ranks 8 --group-size 4"));
  command->footer(
      "Members are printed as ranks. You can edit the output; `regroup groups check`\nchecks it.");
  command->add_option("--name", line.groups_make.name, "common name of the groups [GROUP]");
  command->add_option("--ranks", line.groups_make.ranks, "number of processes")
      ->check(CLI::Range(1, 1 << 24));
  command
      ->add_option("--group-size", line.groups_make.group_size,
                   "create groups of this number of consecutive ranks")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", line.groups_make.hosts,
                      "create one group per host: a hostfile, or NAME:SLOTS,NAME,…");
  command->add_option("--run", line.groups_make.results,
                      "use the groups at the end of a run in this directory of results. See --id.");
  command->add_option("--id", line.groups_make.run,
                      "hash of the run, if the directory contains several");
  command->callback([&line] { make_groups_file(line.groups_make); });
}

void add_groups(CLI::App& command, CommandLine& line) {
  command.require_subcommand(1);
  command.footer("");
  add_groups_check(command, line);
  add_groups_make(command, line);
  for (CLI::App* inner : command.get_subcommands([](CLI::App*) { return true; })) {
    inner->group("Subcommands");
  }
}

struct Subcommand {
  const char* name;
  const char* group;    ///< its heading in --help
  const char* help;     ///< one line
  const char* example;  ///< the words after the name of the program
  void (*add)(CLI::App& command, CommandLine& line);
  bool of_walkers = true;  ///< whether it reads configurations or results, which name walkers
};

// Under each heading, the subcommands that most people need come first.
constexpr Subcommand subcommands[] = {
    {"list", "Prepare", "List balancers, walkers, …, configuration keys and result columns",
     "list balancers", add_list},
    {"plan", "Prepare", "List the tasks of a configuration and predict their durations",
     "plan configs/demo.yaml", add_plan},
    {"advise", "Prepare", "Recommend a balancer and a communicator strategy for your chains",
     "advise configs/demo.yaml", add_advise},
    {"preflight", "Prepare", "Check MPI library, launcher and hosts, here or in a cluster job",
     "preflight --ranks 4", add_preflight},
    {"groups", "Prepare", "Check or create a file that defines communicators by name",
     "groups check groups.yaml --ranks 8", add_groups, false},
    {"run", "Run", "Run a configuration, or continue it with --resume", "run configs/demo.yaml",
     add_run},
    {"merge", "Run", "Combine results of shards, jobs or retries in one directory",
     "merge results/demo", add_merge},
    {"reproduce", "Run", "Repeat the experiments of Dinan et al. (2011), check their claims",
     "reproduce table1", add_reproduce, false},
    {"table", "Evaluate", "Print results as a table, also as CSV, JSON, Markdown or LaTeX",
     "table results/demo", add_table},
    {"report", "Evaluate", "Write an HTML page with findings, pictures and a timeline",
     "report results/demo", add_report},
    {"compare", "Evaluate", "Compare two directories of results: find slower and faster times",
     "compare results/old results/new", add_compare},
    {"trace", "Evaluate", "Export the activity of each rank in a run, for the viewer Perfetto",
     "trace results/demo", add_trace},
    {"verify", "Check", "Check that stored results are correct, by recomputing them",
     "verify results/demo", add_verify},
    {"check", "Check", "Test a balancer (for authors of balancers)", "check asynchronous",
     add_check, false},
};

/// The column of the descriptions of subcommands in the help.
constexpr std::size_t column_of_subcommands = 14;

constexpr char about_all[] =
    R"(Benchmark of dynamic load balancing of Markov chain Monte Carlo on MPI. Each
chain is executed by a group of processes. When a group has finished its chain,
its processes join other groups. A balancer decides which groups they join, and
a communicator strategy creates the new communicators.

A first experiment:
  regroup run configs/demo.yaml
  regroup report results/demo
)";

constexpr char after_all[] =
    "`regroup SUBCOMMAND --help` describes a subcommand. The scripts in plots/ draw\n"
    "pictures of results.";

/// Returns the innermost subcommand that the user named.
const CLI::App& innermost(const CLI::App& app) {
  const auto inner = app.get_subcommands();
  return inner.empty() ? app : innermost(*inner.front());
}

/// Describes the mistake in the command line of `app`, whose parsing ended with `error`. For an
/// unknown word, suggests a similar one.
std::string mistake(const CLI::App& app, const CLI::Error& error, const Catalog& catalog) {
  const std::vector<std::string> words = app.remaining(true);
  // get_name() of an ExtrasError returns the name of the subcommand, not that of the error.
  const int code = error.get_exit_code();
  const bool unknown = code == static_cast<int>(CLI::ExitCodes::ExtrasError) ||
                       code == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (!unknown || words.empty()) return error.what();
  const CLI::App& command = innermost(app);
  const std::string word = words.front().substr(0, words.front().find('='));
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    return fmt::format("there is no option '{}'{}", word, did_you_mean(word, known));
  }
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(one->get_name());
  }
  if (known.empty()) return error.what();
  if (find_entry(catalog.measurements, word) != nullptr) {
    return fmt::format("there is no subcommand '{}'; 'run CONFIG' also executes measurements",
                       word);
  }
  return fmt::format("there is no subcommand '{}'{}", word, did_you_mean(word, known));
}

int execute(int argc, char** argv, const Catalog& catalog) {
  if (argc > 0 && argv[0][0] != '\0') set_program_call(argv[0]);
  CommandLine line(catalog);
  for (int i = 0; i < argc; ++i) line.text += (i == 0 ? "" : " ") + quoted(argv[i]);
  CLI::App app{about_all, program_call()};
  const auto help = std::make_shared<Help>();
  help->column_width(column_of_subcommands);
  app.formatter(help);
  app.footer(after_all);
  app.set_version_flag("--version", std::string(program_version().version));
  app.require_subcommand(0, 1);
  app.failure_message([&](const CLI::App* all, const CLI::Error& error) {
    return fmt::format("{}: {}; see --help\n", program_name(),
                       one_line(mistake(*all, error, catalog)));
  });
  for (const Subcommand& row : subcommands) {
    CLI::App& command = *app.add_subcommand(row.name, row.help)->group(row.group);
    const auto own_help = std::make_shared<Help>(row.example);
    command.formatter(own_help);
    row.add(command, line);
    const bool has_subcommands = command.get_require_subcommand_min() > 0;
    if (has_subcommands) own_help->column_width(column_of_subcommands);
    if (row.of_walkers) {
      command
          .add_option("--walkers", line.sweep.walkers,
                      "Python file that defines walkers, see docs/python.md [$REGROUP_WALKERS]")
          ->check(not_empty);
    }
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      print_error(fmt::format("a subcommand is required; '{} --help' lists them", program_call()));
      return 2;
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    print_error(error.what());
    return 2;
  } catch (const TemporaryError& error) {
    print_error(error.what());
    return TemporaryError::exit_code;
  } catch (const std::exception& error) {
    if (output_complete()) print_error(error.what());
    return 1;
  }
  return line.code;
}

}  // namespace

int command_main(int argc, char** argv, const AddRows& add_rows) {
  open_console();
  int code = 2;
  try {
    const std::string walkers = walkers_file(argc, argv);
    if (!walkers.empty()) setenv("REGROUP_WALKERS", walkers.c_str(), 1);  // for `report`
    code = execute(argc, argv,
                   make_catalog(
                       [&](Catalog& catalog) {
                         add_rows(catalog);
                         if (!walkers.empty()) add_python_walkers(catalog, walkers);
                       },
                       engines()));
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  if (output_complete()) return code;
  print_error("not all of the output could be written to standard output");
  return code == 0 ? 1 : code;
}

}  // namespace regroup
