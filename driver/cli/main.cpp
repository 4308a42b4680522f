// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "driver/check/check_balancer.hpp"
#include "driver/cli/commands.hpp"
#include "driver/cli/groups.hpp"
#include "driver/cli/list.hpp"
#include "driver/cli/report.hpp"
#include "driver/cli/trace.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/mpi_job.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/merge.hpp"
#include "driver/version.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/program.hpp"

namespace regroup {
namespace {

std::string joined(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i == 0 ? "" : " ") + quoted(argv[i]);
  return line;
}

/// "run demo": what a script must know of a configuration.
void print_brief(const ConfigSource& config) {
  const Experiment experiment = read_experiment(config);
  print_out("{} {}\n", experiment.kind(), experiment.name);
}

int execute(int argc, char** argv) {
  const std::string name = this_program().filename();
  CLI::App app{fmt::format(about, name), name};
  app.set_version_flag("--version", std::string(version));
  app.require_subcommand(0, 1);
  app.failure_message([](const CLI::App* all, const CLI::Error& error) {
    return fmt::format("regroup: {}; --help tells more\n", one_line(mistake(*all, error)));
  });

  ConfigSource config{""};
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
  add_config(plan, config)->required();
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
  add_config(before, config, "a YAML file whose launcher, environment and ranks count");
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
  table->add_option("--format", format, "text, markdown, latex, csv or json")
      ->check(CLI::IsMember({"text", "markdown", "latex", "csv", "json"}));
  add_check(table, check_guidelines);
  table->callback([&] { code = print_table(directory, format, check_guidelines); });

  CLI::App* advice = app.add_subcommand(
      "advise", "Which balancer and strategy to choose for the workloads of a configuration");
  advice->footer(about_advice);
  AskedPrices asked;
  add_config(advice, config, "the YAML file; its balancers do not matter")->required();
  advice->add_option("--costs", asked.costs, "a cost model: see 'regroup list costs'")
      ->check(CLI::IsMember(costs_without_files()));
  advice->add_option("--creation", asked.creation, "measured costs: a creation.csv, with --steps");
  advice->add_option("--steps", asked.steps, "measured costs: a steps.csv, with --creation");
  advice->add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}));
  advice->callback([&] { code = advise(read_experiment(config, "run"), asked, format == "json"); });

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

  AskedClaims claims;
  claims.command = sweep.command;
  CLI::App* again = app.add_subcommand(
      "reproduce", "Repeat the paper's experiments and judge them claim by claim");
  again->footer(about_claims);
  again->add_option("what", claims.what, "table1, figure2, figure1 or all [all]")
      ->check(CLI::IsMember({"table1", "figure2", "figure1", "all"}));
  again->add_option("directory", claims.directory,
                    "of figure1: results of 'regroup creation' that are judged [they are made]");
  again->add_option("--out", claims.out, "of figure1: where they are made [results/figure1]");
  again
      ->add_option("--set", claims.changes,
                   "of figure1: KEY=VALUE, a key of their configuration, as in ranks=64")
      ->allow_extra_args(false);
  again->add_option("--format", claims.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  again->callback([&] { code = reproduce(claims); });

  CLI::App* check = app.add_subcommand("verify", "Recompute what results say, and check them");
  check->footer(
      "Every figure is computed anew from the events and the parameters of the run. Groups must\n"
      "partition the ranks at all times, only neighbours merge, every item is done exactly once "
      "by\n"
      "every member and takes the time that it should, and everybody stops. Runs in virtual time\n"
      "are simulated again. Exit code 1 with the violations, each with its file and line.");
  check->add_option("directory", directory, "directory of results")->required();
  check->callback([&] { code = verify(directory); });

  AskedCheck asked_check;
  CLI::App* checking = app.add_subcommand(
      "check", "Try a balancer in every order of events of small runs, and in random large ones");
  checking->footer(about_checking);
  checking->add_option("balancer", asked_check.balancer, "its name: see 'regroup list balancers'")
      ->required();
  checking
      ->add_option("--seconds", asked_check.seconds,
                   "for every order of events, with each combination of options [20]")
      ->check(CLI::Range(0.0, 1e6));
  checking->add_option("--runs", asked_check.runs, "random ones in virtual time [1000]")
      ->check(CLI::Range(0, 10'000'000));
  checking->callback([&] { code = check_balancer(asked_check); });

  add_groups_command(app, code);
  add_trace_command(app);
  add_report_command(app, code);

  add_manual(app);

  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      print_error(fmt::format("a subcommand is required; '{} --help' lists them", name));
      return 2;
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    print_error(error.what());
    return 2;
  } catch (const std::exception& error) {
    if (output_complete()) print_error(error.what());
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
    print_error(error.what());
  }
  if (output_complete()) return code;
  print_error("not all of the output could be written to standard output");
  return code == 0 ? 1 : code;
}

}  // namespace regroup
