// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/commands/command_main.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "jobs/commands/commands.hpp"
#include "jobs/launch/command_line.hpp"
#include "jobs/launch/mpi_job.hpp"
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

/// {0}: the name of the program.
constexpr char about[] =
    "Benchmarks of dynamic load balancing of Markov chain Monte Carlo walker groups on MPI.\n"
    "When a group of processes runs out of work it joins another group: which balancer decides\n"
    "that best, and which way to form the new communicator costs least?\n"
    "\n"
    "  {0} plan configs/demo.yaml       what would be run, and how long it takes\n"
    "  {0} run configs/demo.yaml        run it; results in results/demo\n"
    "  {0} table results/demo           regroup statistics and times\n"
    "  {0} advise configs/demo.yaml     which balancer to choose, and what it saves\n"
    "  {0} creation configs/creation.yaml\n"
    "                                       what forming communicators costs\n"
    "  {0} reproduce                    the paper's claims, one by one\n";

const std::string about_sweeps =
    "too long; the sweep goes on. Ctrl-C ends it cleanly, and --resume then does what is missing.\n"
    "Exit code: 0 all ok or unsupported, 1 some not, 2 a mistake in the configuration or command\n"
    "line, 75 some never began (--resume does them), 130 interrupted.";

const std::string about_advice =
    "Simulates every balancer over every communicator strategy on the workloads of CONFIG, each\n"
    "combination of ranks, group_size, item_ms, workload, speedup and jitter on its own, in\n"
    "virtual time; seeds and repetitions make medians. For each it tells the best choice, what it\n"
    "saves, how dear forming a communicator and how short an item may become before another\n"
    "choice wins by 1 %, and how many ranks per group to start with; then the lines to paste.\n"
    "\n"
    "What communication costs: --costs, or --creation and --steps; else what CONFIG says; else\n"
    "the newest results/*/creation.csv and results/*/steps.csv; else 'cluster'. To measure:\n"
    "  regroup creation configs/creation.yaml\n"
    "  regroup steps configs/steps.yaml\n"
    "Exit code: 0, or 2 for a mistake in the configuration, the command line or a file of costs.";

std::string about_measurements(const MeasurementKind& kind) {
  std::string text = fmt::format(
      "CONFIG is a YAML file with the keys 'measure: {0}', ranks, seed, waiting, timeout_s,\n"
      "repetitions, launcher, environment, experiment, and these (configs/{0}.yaml has them "
      "all):\n",
      kind.name);
  for (const OptionSpec& spec : kind.options) {
    text += fmt::format("  {:<13} {}\n", spec.name, spec.help);
  }
  return text +
         fmt::format(
             "Each takes one value or a list: all combinations are measured; a list of words may\n"
             "be 'all'. 'regroup plan CONFIG' shows them, 'regroup list' what the words mean.\n"
             "A summary comes last; 'regroup table OUT' prints it again. Every measurement\n"
             "becomes a row of OUT/{}.csv, also one that fails, is killed or takes\n",
             kind.name);
}

/// The arguments of every command that executes a configuration.
void add_options(CLI::App* command, std::string& config, SweepOptions& sweep) {
  command->add_option("config", config, "the YAML file")->required();
  command->add_option("--out", sweep.directory, "directory of results [results/EXPERIMENT]")
      ->check([](const std::string& directory) {
        return directory.empty() ? std::string("'' is no directory") : std::string();
      });
  command->add_option("--only", sweep.only,
                      "only what has this text in its description (see 'regroup plan')");
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
  runs->footer(
      "Every run becomes a row of OUT/runs.csv, also one that fails, is killed or takes\n" +
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
  plan->callback([&] {
    if (brief) return print_brief(config);
    code = print_plan(read_experiment(config));
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
