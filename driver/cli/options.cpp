// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "driver/cli/commands.hpp"

namespace regroup {
namespace {

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

}  // namespace

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

CLI::Option* add_config(CLI::App* command, ConfigSource& config, const std::string& help) {
  command
      ->add_option("--set", config.changes,
                   "KEY=VALUE: this key of CONFIG has another value, in YAML, as in ranks=64 or "
                   "'ranks=[32, 64]'; as often as needed")
      ->allow_extra_args(false);
  return command->add_option("config", config.path, help);
}

void add_options(CLI::App* command, ConfigSource& config, SweepOptions& sweep) {
  add_config(command, config)->required();
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

void add_check(CLI::App* command, bool& check) {
  command->add_flag("--check", check,
                    "exit code of the guidelines of creation: 0 all hold, 1 one is violated, 2 one "
                    "has too few samples to be judged, or there is none");
}

}  // namespace regroup
