// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/commands/command_main.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "jobs/commands/about.hpp"
#include "jobs/commands/commands.hpp"
#include "jobs/definitions/groups_command.hpp"
#include "jobs/launch/command_line.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/merge/merge.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/version.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

std::string joined(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i == 0 ? "" : " ") + quoted(argv[i]);
  return line;
}

std::string about_measurements(const MeasurementKind& kind) {
  std::string text = fmt::format(
      "CONFIG is a YAML file with the keys 'measure: {0}', ranks, seed, waiting, timeout_s,\n"
      "repetitions, launcher, environment, experiment, and these (configs/{0}.yaml has them "
      "all):\n",
      kind.name);
  std::size_t widest = 13;
  for (const OptionSpec& spec : kind.options) widest = std::max(widest, spec.name.size());
  for (const OptionSpec& spec : kind.options) {
    text += fmt::format("  {:<{}} {}\n", spec.name, widest, spec.help);
  }
  return text +
         fmt::format(
             "Each takes one value or a list: all combinations are measured; a list of words may\n"
             "be 'all'. 'regroup plan CONFIG' shows them, 'regroup list' what the words mean.\n"
             "A summary comes last; 'regroup table OUT' prints it again. Every measurement\n"
             "that began is a row of OUT/{}.csv, also one that fails, is killed or takes\n",
             kind.name);
}

/// Which tasks of a configuration are meant.
void add_selection(CLI::App* command, Selection& which) {
  command->add_option("--only", which.only,
                      "only what has this text in its description (see 'regroup plan')");
  const auto not_empty = [](const std::string& text) {
    return text.empty() ? std::string("it is empty, where something must stand") : std::string();
  };
  command
      ->add_option("--shard", which.shard,
                   "I/N: only the I-th of N parts, as one job of an array does it; its results "
                   "are in OUT/shard-I-of-N, and 'regroup merge OUT' brings them together")
      ->check(not_empty);
  command
      ->add_option("--one", which.one,
                   "only the run with this name, sixteen digits that 'regroup plan CONFIG "
                   "--format json' tells; its row is added to what is there")
      ->check(not_empty);
}

void add_plan_options(CLI::App* command, PlanOptions& plan) {
  add_selection(command, plan.which);
  command->add_option("--shards", plan.shards, "show the division into so many parts")
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--format", plan.format,
                   "text, json (every run by its name, with nodes and seconds) or slurm (options "
                   "of sbatch: nodes and time)")
      ->check(CLI::IsMember({"text", "json", "slurm"}));
  command
      ->add_option("--ranks-per-node", plan.ranks_per_node,
                   "of the machine that it is for [the cores of this one]")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--results", plan.results,
                      "earlier results, whose runs tell what launching takes "
                      "[results/EXPERIMENT and its shards]");
  command->footer(about_plans);
}

/// The arguments of every command that executes a configuration.
void add_options(CLI::App* command, std::string& config, SweepOptions& sweep) {
  command->add_option("config", config, "the YAML file")->required();
  command->add_option("--out", sweep.directory, "directory of results [results/EXPERIMENT]")
      ->check([](const std::string& directory) {
        return directory.empty() ? std::string("'' is no directory") : std::string();
      });
  add_selection(command, sweep.which);
  command->add_flag("--resume", sweep.resume, "do only what the results do not have yet");
  command->add_flag("--retry", sweep.retry, "like --resume, and do again what did not end well");
  command->add_option(
      "--states", sweep.states,
      "chains go on from the states in this directory, which a run that did not end "
      "left (OUT/logs/RUN.states); needs the key 'save_every'");
  command->add_flag("--overwrite", sweep.overwrite,
                    "start anew; of the results that exist copies are kept (FILE.bak)");
  command->add_flag("--mixed", sweep.mixed,
                    "add also to results of another launcher, environment, MPI library, version or "
                    "machine; tables keep them apart");
  command->add_flag("--break-lock", sweep.break_lock,
                    "take over a directory whose lock another sweep holds, which is surely gone");
}

/// "run demo": what a script must know of a configuration.
void print_brief(const std::string& config) {
  const Experiment experiment = read_experiment(config);
  tell("{} {}\n", experiment.kind(), experiment.name);
}

void add_check(CLI::App* command, bool& check) {
  command->add_flag("--check", check,
                    "exit code of the guidelines of creation: 0 all hold, 1 one is violated, 2 one "
                    "has too few samples to be judged, or there is none");
}

int execute(int argc, char** argv) {
  const std::string name = this_program().filename();
  CLI::App app{fmt::format(about, name), name};
  app.set_version_flag("--version", std::string(version));
  app.require_subcommand(0, 1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("regroup: {}; --help tells more\n", one_line(error.what()));
  });

  std::string config;
  std::string directory;
  std::string format = "text";
  bool check_guidelines = false;
  SweepOptions sweep;
  sweep.command = joined(argc, argv);
  int code = 0;

  CLI::App* runs = app.add_subcommand("run", "Execute the runs of a configuration");
  runs->footer(std::string("Every run that began is a row of OUT/runs.csv, also one that fails, is "
                           "killed or takes\n") +
               about_sweeps);
  add_options(runs, config, sweep);
  runs->callback([&] { code = run(read_experiment(config, "run"), sweep, false); });

  for (const MeasurementKind& kind : standard_catalog().measurements) {
    CLI::App* one =
        app.add_subcommand(std::string(kind.name), fmt::format("Measure {}", kind.help));
    one->footer(about_measurements(kind) + about_sweeps);
    add_options(one, config, sweep);
    if (kind.name == "creation") add_check(one, check_guidelines);
    one->callback([&] { code = run(read_experiment(config, kind.name), sweep, check_guidelines); });
  }

  CLI::App* plan = app.add_subcommand(
      "plan", "Show every run, or measurement, of a configuration with its predicted time");
  plan->add_option("config", config, "the YAML file")->required();
  bool brief = false;
  plan->add_flag("--brief", brief,
                 "only, for scripts: the subcommand that executes it, and the experiment's name");
  PlanOptions asked_plan;
  add_plan_options(plan, asked_plan);
  plan->callback([&] {
    if (brief) return print_brief(config);
    code = print_plan(read_experiment(config), asked_plan);
  });

  int preflight_ranks = 0;
  CLI::App* before = app.add_subcommand(
      "preflight", "Start ranks to see whether MPI, launcher and hosts are as they should be");
  before->footer(fmt::format(about_preflight, name));
  before->add_option("config", config, "a YAML file whose launcher, environment and ranks count");
  before->add_option("--ranks", preflight_ranks, "how many [the most of CONFIG; else of the job]")
      ->check(CLI::Range(2, 1'000'000));
  before->callback([&] { code = preflight(config, preflight_ranks); });

  CLI::App* merging = app.add_subcommand("merge", "Bring results of shards or retries together");
  merging->footer(about_merging);
  MergeOptions asked_merge;
  merging->add_option("out", asked_merge.into, "directory of results that they are added to")
      ->required();
  merging->add_option("directories", asked_merge.directories,
                      "directories of results [OUT/shard-*-of-*]");
  merging->add_flag("--mixed", asked_merge.mixed,
                    "also results of different configurations, launchers, environments, MPI "
                    "libraries, versions or machines; tables keep the latter apart");
  merging->add_flag("--break-lock", asked_merge.break_lock,
                    "also what a sweep holds, which is surely gone");
  merging->callback([&] {
    merge(asked_merge);
    code = 0;
  });

  CLI::App* table = app.add_subcommand(
      "table", "Show regroup statistics and times of results, or what measurements say");
  table->add_option("directory", directory, "directory of results")->required();
  table->add_option("--format", format, "text, markdown, csv or latex")
      ->check(CLI::IsMember({"text", "markdown", "csv", "latex"}));
  add_check(table, check_guidelines);
  table->callback([&] { code = print_table(directory, format, check_guidelines); });

  CLI::App* advice = app.add_subcommand(
      "advise", "Which balancer and strategy to choose for the workloads of a configuration");
  advice->footer(about_advice);
  AskedPrices asked;
  bool json = false;
  advice->add_option("config", config, "the YAML file; its balancers do not matter")->required();
  advice->add_option("--costs", asked.costs, "a cost model: see 'regroup list costs'")
      ->check(CLI::IsMember(costs_without_files()));
  advice->add_option("--creation", asked.creation, "measured costs: a creation.csv, with --steps");
  advice->add_option("--steps", asked.steps, "measured costs: a steps.csv, with --creation");
  advice->add_flag("--json", json, "as JSON");
  advice->callback([&] { code = advise(read_experiment(config, "run"), asked, json); });

  CLI::App* comparing = app.add_subcommand(
      "compare", "What is slower in results B than in A: MPI libraries, versions, settings");
  comparing->footer(about_comparing);
  CompareOptions compared;
  comparing->add_option("a", compared.directories[0], "directory of results")->required();
  comparing->add_option("b", compared.directories[1], "another, judged beside it")->required();
  comparing->add_option("--worse", compared.worse, "what may be lost before it counts [5%]");
  comparing->add_option("--format", compared.format, "text, markdown or json")
      ->check(CLI::IsMember({"text", "markdown", "json"}));
  comparing->callback([&] { code = compare(compared); });

  std::string what = "all";
  CLI::App* again = app.add_subcommand(
      "reproduce", "Run the paper's experiments in virtual time and judge them claim by claim");
  again->footer(
      "The paper: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011.");
  again->add_option("what", what, "table1, figure2 or all [all]")
      ->check(CLI::IsMember({"table1", "figure2", "all"}));
  again->callback([&] { code = reproduce(what); });

  CLI::App* check = app.add_subcommand("verify", "Recompute what results say, and check them");
  check->footer(
      "Every figure is computed anew from the events and the parameters of the run. Groups must\n"
      "partition the ranks at all times, only neighbours merge, every item is done exactly once "
      "by\n"
      "every member and takes the time that it should, and everybody stops. Runs in virtual time\n"
      "are simulated again. Exit code 1 with the violations, each with its file and line.");
  check->add_option("directory", directory, "directory of results")->required();
  check->callback([&] { code = verify(directory); });

  add_groups_command(app, code);

  CLI::App* list = app.add_subcommand(
      "list", "List engines, balancers, strategies, workloads and walkers with their options");
  list->footer(about_lists);
  std::string word;
  bool markdown = false;
  list->add_option("word", word, "one list only");
  list->add_flag("--markdown", markdown, "as tables in Markdown");
  list->callback([&] { code = print_lists(word, markdown); });

  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      complain(fmt::format("a subcommand is required; '{} --help' lists them", name));
      return 2;
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    complain(error.what());
    return 2;
  } catch (const std::exception& error) {
    if (output_is_whole()) complain(error.what());
    return 1;
  }
  return code;
}

}  // namespace

int command_main(int argc, char** argv, AddRows add_rows) {
  open_console();
  int code = 2;
  try {
    extend_catalog(add_rows);
    check_columns();
    code = execute(argc, argv);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  if (output_is_whole()) return code;
  complain("not all of the output could be written to standard output");
  return code == 0 ? 1 : code;
}

}  // namespace regroup
