// SPDX-License-Identifier: BSD-3-Clause
//
// The command line: one function for each subcommand declares its options, and one row of a table
// names it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
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
  std::string text;  ///< for the provenance
  int code = 0;      ///< to exit with

  // Of several subcommands.
  ConfigSource config{""};
  std::string format = "text";
  std::string directory;
  // Of one.
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

/// The configuration that a command is about, and --set.
CLI::Option* add_config(CLI::App& command, ConfigSource& config,
                        const std::string& help = "the YAML file") {
  command
      .add_option("--set", config.changes,
                  "KEY=VALUE: replace the value of KEY in CONFIG, in YAML, as in ranks=64 or "
                  "'ranks=[32, 64]'; may be repeated")
      ->allow_extra_args(false);
  return command.add_option("config", config.path, help);
}

std::string not_empty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

void add_selection(CLI::App& command, Selection& which) {
  command.add_option("--only", which.only,
                     "only tasks whose description contains TEXT (see 'regroup plan')");
  command
      .add_option("--shard", which.shard,
                  "I/N: only the I-th of N parts, for one job of an array; its results go to "
                  "OUT/shard-I-of-N, and 'regroup merge OUT' merges all of them")
      ->check(not_empty);
  command
      .add_option("--one", which.one,
                  "only the task with this hash, from 'regroup plan CONFIG --format json'; its row "
                  "is added to the results that exist")
      ->check(not_empty);
}

CLI::Option* add_format(CLI::App& command, std::string& format, std::vector<std::string> formats) {
  std::string help;
  for (const std::string& one : formats) help += (help.empty() ? "" : ", ") + one;
  return command.add_option("--format", format, help)->check(CLI::IsMember(std::move(formats)));
}

void add_where(CLI::App& command, Where& where) {
  command
      .add_option("--where", where,
                  "KEY=VALUE[,VALUE…]: only results with one of these values of a parameter, an "
                  "option or a condition such as cores; may be repeated: all must hold")
      ->allow_extra_args(false);
}

// ---- subcommands

void add_run(CLI::App& command, CommandLine& line) {
  line.sweep.command = line.text;
  command.footer(
      R"(Runs become rows of OUT/runs.csv, measurements of OUT/KIND.csv: also those that fail, are
killed or take too long; the sweep continues. Ctrl-C ends it cleanly, and --resume runs the
rest. Exit code: 0 all ok, or some unsupported, 1 some not, 2 a mistake in the configuration or
command line, 75 some have no result (--resume runs them), or a scheduler is busy,
130 interrupted.)");
  add_config(command, line.config)->required();
  command.add_option("--out", line.sweep.directory, "directory of results [results/EXPERIMENT]")
      ->check(not_empty);
  add_selection(command, line.sweep.which);
  command
      .add_option(
          "--jobs", line.sweep.jobs,
          "simulate at most so many runs at a time [one for each core]; fewer are simulated "
          "if the available memory does not suffice. With 1, the memory of each run is "
          "measured (memory_mb). Runs on processes are always executed one at a time")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--resume", line.sweep.resume, "run only the tasks that have no result yet");
  command.add_flag("--retry", line.sweep.retry, "like --resume, and repeat what did not end well");
  command.add_option("--states", line.sweep.states,
                     "continue chains from the states in this directory, which an unfinished run "
                     "left (OUT/logs/RUN.states); needs the key 'save_every' or 'keep_states'");
  command
      .add_option("--extend", line.sweep.extend,
                  "continue the chains of runs that ended well by so many items, from their final "
                  "states; needs 'keep_states: true'. Rows of the longer runs are added, with "
                  "'extra_items' among their settings; after an interrupt, give --resume, too")
      ->check(CLI::Range(1, ExtendedRuns::most_extra_items));
  command.add_flag("--overwrite", line.sweep.overwrite, "delete the results that exist");
  command.add_flag("--mixed", line.sweep.mixed,
                   "add to results of another launcher, environment, MPI library, version or "
                   "machine; tables keep them apart");
  command.callback([&line] {
    if (line.sweep.extend > 0) {
      const int items = extended_items(read_experiment(line.config, line.catalog), line.sweep);
      line.config.changes.push_back(fmt::format("extra_items={}", items));
    }
    line.code = run(read_experiment(line.config, line.catalog), line.sweep);
  });
}

void add_plan(CLI::App& command, CommandLine& line) {
  command.footer(R"(For a scheduler, as many jobs as you like, each with what it needs:
  regroup plan CONFIG --shards 8                   what each of 8 parts would run
  sbatch $(regroup plan CONFIG --shards 8 --format slurm --ranks-per-node 64) \
    jobs/slurm_array.sh CONFIG                     all 8 as a job array
  sbatch $(regroup plan CONFIG --format slurm --ranks-per-node 64) jobs/slurm.sh CONFIG
                                                   all in one job
The time limit is 1.5 times the predicted time plus two minutes; a task of unknown length
counts with its timeout_s. So do runs of walkers that compute, unless the configuration has
item_ms or --probe measures it. Launch times are those of earlier results, or else 0.3 s and
12 ms for each rank.)");
  add_config(command, line.config)->required();
  command.add_flag("--brief", line.brief,
                   "print only kind and name of the experiment, for scripts");
  add_selection(command, line.plan.which);
  command.add_option("--shards", line.plan.shards, "show the division into so many parts")
      ->check(CLI::Range(1, 1'000'000));
  command.add_flag("--probe", line.plan.probe,
                   "measure here what items of walkers that compute take, for a moment each");
  add_format(command, line.plan.format, {"text", "json", "slurm"});
  command
      .add_option("--ranks-per-node", line.plan.ranks_per_node,
                  "of the machine that it is for [the cores of this one]")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--results", line.plan.results,
                     "earlier results to learn launch times from [results/EXPERIMENT]");
  command.callback([&line] {
    const Experiment experiment = read_experiment(line.config, line.catalog);
    if (line.brief) return print_out("{} {}\n", experiment.kind(), experiment.name);
    print_plan(experiment, line.plan);
  });
}

void add_list(CLI::App& command, CommandLine& line) {
  command.footer([&line] { return describe_lists(line.catalog); });
  command.add_option("word", line.word, "one list only");
  add_format(command, line.format, {"text", "markdown", "json"});
  command.callback([&line] { print_lists(line.word, line.format, line.catalog); });
}

void add_preflight(CLI::App& command, CommandLine& line) {
  command.footer(R"(Run it first in a job on a cluster, before you spend hours:
  salloc -N 4 --ntasks-per-node=64 regroup preflight
  regroup preflight configs/mine.yaml
In a Slurm job of several hosts the default launcher is srun; two ranks are started to find
out which options the MPI library understands, as 'run' does. Then all ranks start and
report. Each line says ok, warning or wrong:
  launcher       whether two ranks connect; if not, launcher and MPI library do not share
                 a version of PMI
  ranks          how many started, on how many hosts
  processors     whether each rank has one for itself
  messages       latency of 8 bytes, between hosts and inside: TCP or a fast network
  clocks         how much times of other hosts may be wrong
  /dev/shm       free space for each rank
  communicators  how many a rank may have at once
  constructors   strategies whose calls the MPI library lacks
Nothing is written. Exit code: 0, also with warnings; 1 where something is wrong; 2 for a
mistake in the configuration or command line.)");
  add_config(command, line.config, "a YAML file whose launcher, environment and ranks are used");
  command
      .add_option("--ranks", line.ranks, "how many [the largest of CONFIG; else those of the job]")
      ->check(CLI::Range(2, 1'000'000));
  command.callback([&line] { line.code = preflight(line.config, line.ranks, line.catalog); });
}

void add_merge(CLI::App& command, CommandLine& line) {
  command.footer(R"(  for i in 1 2 3; do regroup run CONFIG --shard $i/3 --resume & done; wait
  regroup merge results/EXPERIMENT     merges the shards below it
  regroup verify results/EXPERIMENT
Every task is taken once: one that ended well wins over one that did not, else the result
that OUT already has, else the one named first. The directories stay as they are, and
merging again adds what is new. Results of another configuration or of other circumstances
are refused.
Exit code: 0, also where tasks are still missing (it says so); 2 where it refuses.)");
  command.add_option("out", line.merge.into, "directory of results to add to")->required();
  command.add_option("directories", line.merge.directories,
                     "directories of results [OUT/shard-*-of-*]");
  command.add_flag("--mixed", line.merge.mixed,
                   "also merge results of different configurations, launchers, environments, MPI "
                   "libraries, versions or machines; tables keep the latter apart");
  command.callback([&line] { merge(line.merge, line.catalog); });
}

void add_table(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Formats csv and json are for programs; rows: the chosen rows of runs.csv as they are.
A table for people with more than 100 rows becomes a summary by workload and balancer.
The best balancer for one workload and number of ranks:
  regroup table DIRECTORY --where workload=uniform --where ranks=512 --by balancer)");
  command.add_option("directory", line.table.directory, "directory of results")->required();
  add_format(command, line.table.format, {"text", "markdown", "latex", "csv", "json", "rows"});
  add_where(command, line.table.where);
  command
      .add_option("--by", line.table.by,
                  "KEY,KEY…: of runs, a row for each combination of the values of these keys: "
                  "median and worst of makespan / bound and makespan / that of 'none', over all "
                  "runs; the best balancer comes first")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--check", line.table.check,
                   "of creation: exit code 1 where a guideline is violated, 2 where one has too "
                   "few samples to be judged, or there is none");
  command.callback([&line] { line.code = print_table(line.table, line.catalog); });
}

void add_compare(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Rows are paired if all parameters agree, ignoring those that are constant in A and in B.
For each time that both have: the ratio with a confidence interval, from repetitions (8 of
each are enough), else from the intervals in the rows. Virtual time is compared exactly.
Exit code: 1 where something is slower by more than --worse and chance is excluded; 2 where
nothing can be compared or judged, or for a mistake; else 0.)");
  command.add_option("a", line.compare.directories[0], "directory of results")->required();
  command.add_option("b", line.compare.directories[1], "another, compared with it")->required();
  command.add_option("--worse", line.compare.worse, "tolerated loss [5%]");
  add_format(command, line.compare.format, {"text", "markdown", "json"});
  add_where(command, line.compare.where);
  command.callback([&line] { line.code = compare(line.compare, line.catalog); });
}

void add_report(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(One file that browsers open without network: what was run and where, the result in one
sentence, the table, the pictures, a timeline of runs to zoom into, warnings, provenance,
and the command to repeat it. With a second directory both are shown side by side, with the
ratios of 'regroup compare'. plots/report.py makes it, with Python and its modules jinja2,
plotly, matplotlib and pandas.
Exit code: 0, or 2 for results that cannot be read, a missing module, or a mistake.)");
  command
      .add_option("directories", line.report.directories,
                  "directory of results, or two to be compared")
      ->required()
      ->expected(1, 2);
  command
      .add_option("--run", line.report.runs,
                  "in the timeline: names in the column 'run' of runs.csv [one of each variant]")
      ->expected(1)
      ->take_all();
  add_where(command, line.report.where);
  command.add_option("-o,--output", line.report.output, "the page [DIRECTORY/report.html]");
  command.callback([&line] { make_report(line.report); });
}

void add_verify(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Computes each figure again from the events and the parameters of the run. Groups must
partition the ranks at all times, every item must be executed exactly once by every member
and take as long as it should, and everybody must stop. Runs in virtual time are simulated
again. Exit code 1 with the violations, each with its file and line.)");
  command.add_option("directory", line.directory, "directory of results")->required();
  command.callback([&line] { line.code = verify(line.directory, line.catalog); });
}

void add_reproduce(CLI::App& command, CommandLine& line) {
  line.reproduce.command = line.text;
  command.footer(
      R"(The paper: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011.
Table 1, Figure 2 and the loss of a rank ('all') are simulated in virtual time, in seconds.
Figure 1, the cost of creating a communicator by the size of its group, is measured on this
machine, with 32 processes, in a minute or two; measurements that exist are not repeated.
Exit code: 0 where each claim is met or explained, 1 where one is not; 2 for a mistake, or
where measurements have too few samples; else that of 'regroup run'.)");
  command.add_option("what", line.reproduce.what, "table1, figure2, failure, figure1 or all [all]")
      ->check(CLI::IsMember({"table1", "figure2", "failure", "figure1", "all"}));
  command.add_option("directory", line.reproduce.directory,
                     "of figure1: results of measurements to judge [they are made]");
  command.add_option("--out", line.reproduce.out,
                     "of figure1: where they are made [results/figure1]");
  command
      .add_option("--set", line.reproduce.changes,
                  "of figure1: KEY=VALUE, a key of their configuration, as in ranks=64")
      ->allow_extra_args(false);
  add_format(command, line.reproduce.format, {"text", "json"});
  command.callback([&line] { line.code = reproduce(line.reproduce, line.catalog); });
}

void add_advise(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Simulates every balancer over every communicator strategy on the workloads of CONFIG, each
combination of ranks, group_size, item_ms, workload, speedup and jitter separately, in
virtual time; medians over seeds and repetitions. For each it reports the best choice, what
it saves, how expensive forming a communicator and how short an item may become before
another choice wins by 1 %, and how many ranks per group to start with; then the lines to
paste.

Items of walkers that compute are taken to be as item_ms and speedup say; with --probe they
are measured first, in groups of 1, 2, 4, … ranks.

Communication costs: --costs, or --creation and --steps; else those of CONFIG; else the
newest results/*/creation.csv and results/*/steps.csv; else 'cluster'. To measure them:
  regroup run configs/creation.yaml
  regroup run configs/steps.yaml
Exit code: 0, or 2 for a mistake in the configuration, the command line or a file of costs.)");
  add_config(command, line.config, "the YAML file; its balancers do not matter")->required();
  command.add_option("--costs", line.prices.costs, "a cost model: see 'regroup list costs'")
      ->check(CLI::IsMember(costs_without_files(line.catalog)));
  command.add_option("--creation", line.prices.creation,
                     "measured costs: a creation.csv, with --steps");
  command.add_option("--steps", line.prices.steps, "measured costs: a steps.csv, with --creation");
  CLI::Option* probed =
      command
          .add_option("--probe", line.probe_s,
                      "measure the items of the walker for about so long: 10s, 2min")
          ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}},
                                            CLI::AsNumberWithUnit::UNIT_REQUIRED))
          ->type_name("TIME");
  add_format(command, line.format, {"text", "json"});
  command.callback([&line, probed] {
    const Experiment experiment = read_experiment(line.config, line.catalog);
    if (!experiment.of_runs()) {
      throw UserError(fmt::format("{}: advice is about runs, and these are measurements of {}",
                                  experiment.file, experiment.kind()));
    }
    const bool json = line.format == "json";
    if (probed->count() == 0) return print_advice(experiment, line.prices, json);
    if (json) throw UserError("--probe shows its progress as text; leave out --format json");
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
      R"(For authors of balancers. In runs of few groups with few items, all events happen in every
possible order: groups must partition the ranks, every item must be executed once, and a
state in which everybody has stopped must stay reachable. Then come large random runs in
virtual time. For an error it prints the shortest way to it.
Exit code: 0 no error found, 1 an error, 2 for a mistake in the command line.)");
  command.add_option("balancer", line.check.balancer, "its name: see 'regroup list balancers'")
      ->required();
  command
      .add_option("--seconds", line.check.seconds,
                  "for every order of events, with each combination of options [20]")
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--runs", line.check.runs, "random ones in virtual time [1000]")
      ->check(CLI::Range(0, 10'000'000));
  command.callback([&line] { line.code = check_balancer(line.check, line.catalog); });
}

void add_trace(CLI::App& command, CommandLine& line) {
  command.footer(
      R"(Writes JSON for Perfetto (https://ui.perfetto.dev) and chrome://tracing: a thread for each
rank, with what it worked on, when it was idle, and when it formed a group. Times are those
of the run, on its own clock.)");
  command.add_option("directory", line.trace.directory, "directory of results")->required();
  command.add_option("run", line.trace.run,
                     "its name, in the column 'run' of runs.csv [the last that formed groups]");
  command.add_option("--ranks", line.trace.ranks, "FIRST-LAST: these only [all]");
  command.add_option("-o,--output", line.trace.output, "the file [DIRECTORY/RUN.trace.json]");
  command.callback([&line] { write_trace(line.trace, line.catalog); });
}

void add_groups_check(CLI::App& groups, CommandLine& line) {
  CLI::App* command = groups.add_subcommand(
      "check", "Print the tree of groups that a file defines, and their members");
  command->footer(
      R"(FILE defines communicators by name, in YAML or in XML; see docs/named-communicators.md:
  communicators:
    - name: RED
      members: [pd-01, 'pd-02:0', 'pd-1[0-9]', 4-7]   # processors, expressions, ranks
      communicators: [{name: PINK, members: [pd-01]}]
)");
  command->add_option("file", line.groups_check.file, "the file of definitions")->required();
  command
      ->add_option("--ranks", line.groups_check.ranks, "number of processes [the slots of --hosts]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", line.groups_check.hosts,
                      "the processors they are on, filled one after the other: a hostfile, or "
                      "NAME:SLOTS,NAME,…");
  add_format(*command, line.groups_check.format, {"text", "json"});
  command->callback([&line] { check_groups_file(line.groups_check); });
}

void add_groups_make(CLI::App& groups, CommandLine& line) {
  CLI::App* command = groups.add_subcommand("make", "Print a file that defines groups");
  command->footer("Members are ranks. The output can be edited, and read by 'check'.");
  command->add_option("--name", line.groups_make.name, "of all groups [GROUP]");
  command->add_option("--ranks", line.groups_make.ranks, "number of processes")
      ->check(CLI::Range(1, 1 << 24));
  command
      ->add_option("--group-size", line.groups_make.group_size, "so many consecutive ranks in each")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", line.groups_make.hosts,
                      "one group for each host: a hostfile, or NAME:SLOTS,NAME,…");
  command->add_option("--run", line.groups_make.results,
                      "the groups at the end of a run in this directory of results");
  command->add_option("--id", line.groups_make.run, "… of this run, where there are several");
  command->callback([&line] { make_groups_file(line.groups_make); });
}

void add_groups(CLI::App& command, CommandLine& line) {
  command.require_subcommand(1);
  add_groups_check(command, line);
  add_groups_make(command, line);
}

struct Subcommand {
  const char* name;
  const char* help;
  void (*add)(CLI::App& command, CommandLine& line);
  bool of_walkers = true;  ///< it reads configurations or results, which name walkers
};

constexpr Subcommand subcommands[] = {
    {"run", "Execute the runs, or measurements, of a configuration", add_run},
    {"plan", "Show each task of a configuration with its predicted time", add_plan},
    {"list", "List engines, balancers, strategies, … with their options, keys and columns",
     add_list},
    {"preflight", "Start ranks to check MPI library, launcher and hosts", add_preflight},
    {"merge", "Merge results of shards or retries", add_merge},
    {"table", "Show regroup statistics and times, or summaries of measurements", add_table},
    {"compare", "Report what became slower or faster from results A to results B", add_compare},
    {"report", "Make a page of results, to look at and send", add_report},
    {"verify", "Check results by computing them again", add_verify},
    {"reproduce", "Repeat the paper's experiments and judge them claim by claim", add_reproduce,
     false},
    {"advise", "Recommend a balancer and a strategy for the workloads of a configuration",
     add_advise},
    {"check", "Test a balancer: every order of events of small runs, and large random runs",
     add_check, false},
    {"trace", "Write a run as a trace for Perfetto", add_trace},
    {"groups", "Check or make files that define communicators by name", add_groups, false},
};

constexpr char about_all[] =
    R"(Benchmarks of dynamic load balancing of Markov chain Monte Carlo walker groups on MPI.
When a group of processes runs out of work it joins another group: which balancer decides
that best, and which way to form the new communicator costs least?

  {0} plan configs/demo.yaml       the runs and their predicted times
  {0} run configs/demo.yaml        run it; results in results/demo
  {0} table results/demo           regroup statistics and times
  {0} report results/demo          a page of them, with pictures and a timeline
  {0} run configs/creation.yaml    measure what forming communicators costs
  {0} advise configs/demo.yaml     which balancer to choose, and what it saves
  {0} preflight                    check MPI library, launcher and hosts
  {0} reproduce                    the paper's claims, one by one
)";

/// The command that the user came to: the innermost one that was named.
const CLI::App& innermost(const CLI::App& app) {
  const auto inner = app.get_subcommands();
  return inner.empty() ? app : innermost(*inner.front());
}

/// What is wrong with the command line of `app`, whose parsing ended with `error`: of a word that
/// it does not know, also which one was probably meant.
std::string mistake(const CLI::App& app, const CLI::Error& error, const Catalog& catalog) {
  const std::vector<std::string> words = app.remaining(true);
  // The library's errors of words that are too many do not have their own name.
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
    return fmt::format("there is no subcommand '{}'; 'run CONFIG' executes measurements, too",
                       word);
  }
  return fmt::format("there is no subcommand '{}'{}", word, did_you_mean(word, known));
}

int execute(int argc, char** argv, const Catalog& catalog) {
  const std::string program = this_program().filename();
  CommandLine line(catalog);
  for (int i = 0; i < argc; ++i) line.text += (i == 0 ? "" : " ") + quoted(argv[i]);
  CLI::App app{fmt::format(about_all, program), program};
  app.set_version_flag("--version", std::string(program_version().version));
  app.require_subcommand(0, 1);
  app.failure_message([&](const CLI::App* all, const CLI::Error& error) {
    return fmt::format("regroup: {}; see --help\n", one_line(mistake(*all, error, catalog)));
  });
  for (const Subcommand& row : subcommands) {
    CLI::App& command = *app.add_subcommand(row.name, row.help);
    row.add(command, line);
    if (row.of_walkers) {
      command
          .add_option("--walkers", line.sweep.walkers,
                      "a Python file with walkers (docs/python.md) [$REGROUP_WALKERS]")
          ->check(not_empty);
    }
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      print_error(fmt::format("a subcommand is required; '{} --help' lists them", program));
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
