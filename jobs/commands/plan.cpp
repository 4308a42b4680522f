// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "jobs/commands/commands.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/sweep/predict.hpp"
#include "jobs/words/describe.hpp"

namespace regroup {
namespace {

/// With more, starting and waiting take most of the time, or all of it.
constexpr long most_ranks_per_core = 256;

/// Adds up what is known.
struct Sum {
  double seconds = 0;
  std::size_t unknown = 0;

  std::string add(std::optional<double> number) {
    if (!number) ++unknown;
    seconds += number.value_or(0);
    return number ? duration(*number) : "?";
  }
};

/// Ranks that this machine has not enough cores for. Elsewhere there may be enough.
void warn(int ranks) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (ranks <= most_ranks_per_core * cores) return;
  fmt::print(
      "warning: {} ranks on {} cores, as this machine has them: more than {} on a core hardly "
      "run\n",
      ranks, cores, most_ranks_per_core);
}

}  // namespace

static void print_plan_of_runs(const Experiment& experiment) {
  fmt::print("{}", left_out_note(experiment.left_out(), experiment.noun()));
  fmt::print("\n{:>5}  {:>11}  {:>9}  {}\n", "run", "makespan_s", "wall", "parameters");
  Predictions predictions(experiment);
  Sum sum;
  std::size_t not_tried = 0;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    const Scenario run = experiment.at(i);
    const Prediction prediction = predictions.makespan(i);
    if (!prediction.makespan_s && prediction.failure.empty()) ++not_tried;
    fmt::print(
        "{:>5}  {:>11}  {:>9}  {}, {}{}\n", i + 1,
        prediction.makespan_s ? fmt::format("{:.4f}", *prediction.makespan_s) : "?",
        sum.add(predictions.wall_s(i)), run.engine, describe(run),
        prediction.failure.empty() ? "" : fmt::format(" [no prediction: {}]", prediction.failure));
  }
  fmt::print(
      "\nin all about {}{}. The makespan is what the balancer reaches when communication is "
      "free;\nthe wall time adds launching, and 5 % for communication.\n",
      duration(sum.seconds),
      sum.unknown == 0 ? "" : fmt::format(", and {} runs of unknown length", sum.unknown));
  if (not_tried > 0) {
    fmt::print("{} runs were not predicted: predictions take {:g} s of processor time at most.\n",
               not_tried, Predictions::most_s);
  }
}

static void print_plan_of_measurements(const Experiment& experiment) {
  fmt::print("\n{:>5}  {:>9}  {}\n", "run", "wall", "parameters");
  Predictions predictions(experiment);
  Sum sum;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    const Scenario task = experiment.at(i);
    const std::string lacking = execution(task.engine).lacks(task);
    fmt::print("{:>5}  {:>9}  {}{}\n", i + 1, lacking.empty() ? sum.add(predictions.wall_s(i)) : "",
               describe(task), lacking.empty() ? "" : fmt::format(" [unsupported: {}]", lacking));
  }
  fmt::print("\nin all about {}\n", duration(sum.seconds));
}

int print_plan(const Experiment& experiment) {
  fmt::print("{}: {} {}\n", experiment.name, experiment.size(), experiment.noun());
  experiment.of_runs() ? print_plan_of_runs(experiment) : print_plan_of_measurements(experiment);
  int most_ranks = 0;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (experiment.engine(i).real) most_ranks = std::max(most_ranks, experiment.ranks(i));
  }
  warn(most_ranks);
  return 0;
}

}  // namespace regroup
