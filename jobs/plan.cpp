// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "jobs/commands.hpp"
#include "jobs/describe.hpp"
#include "jobs/measurement_series.hpp"
#include "jobs/predict.hpp"

namespace regroup {

int print_plan(const Experiment& experiment) {
  fmt::print("{}: {} runs\n\n{:>5}  {:>11}  {:>9}  {}\n", experiment.name, experiment.runs.size(),
             "run", "makespan_s", "wall", "parameters");
  double sum = 0;
  for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
    const Scenario& run = experiment.runs[i];
    const double wall = predicted_wall_s(run);
    sum += wall;
    fmt::print("{:>5}  {:>11.4f}  {:>9}  {}, {}\n", i + 1, predicted_makespan_s(run),
               duration(wall), run.engine, describe(run));
  }
  fmt::print(
      "\nin all about {}. The makespan is what the balancer reaches when communication is "
      "free;\nthe wall time adds launching, and 5 % for communication.\n",
      duration(sum));
  return 0;
}

int print_plan(const Measurements& measurements) {
  const MeasurementSeries series(measurements);
  fmt::print("{}: {} {}\n\n{:>5}  {:>9}  {}\n", series.configuration.name, series.tasks.size(),
             series.noun, "run", "wall", "parameters");
  double sum = 0;
  for (std::size_t i = 0; i < series.tasks.size(); ++i) {
    const Task& task = series.tasks[i];
    const bool supported = task.unsupported.empty();
    if (supported) sum += task.predicted_s;
    fmt::print("{:>5}  {:>9}  {}{}\n", i + 1, supported ? duration(task.predicted_s) : "",
               task.description,
               supported ? "" : fmt::format(" [unsupported: {}]", task.unsupported));
  }
  fmt::print("\nin all about {}\n", duration(sum));
  return 0;
}

}  // namespace regroup
