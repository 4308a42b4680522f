// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/predict.hpp"

#include <algorithm>

#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/launch/interrupts.hpp"
#include "jobs/selection/weight.hpp"
#include "kernel/items/clock.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {
namespace {

/// Processor time of this thread: what is predicted does not depend on what else the machine does.
double processor_time_s() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

Prediction Predictions::simulated(std::size_t place) {
  const double end_s = processor_time_s() + most_s - spent_s_;
  try {
    const auto stop = [&] { return processor_time_s() > end_s || interrupted(); };
    return {simulate(experiment_.at(place), stop).makespan_s(), ""};
  } catch (const Stopped&) {
    return {};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

Prediction Predictions::makespan(std::size_t place) {
  const std::size_t problem = experiment_.problem(place);
  const auto known = known_.find(problem);
  if (known != known_.end()) return known->second;
  if (spent_s_ >= most_s || interrupted()) return {};
  const double began_s = processor_time_s();
  Prediction prediction = simulated(place);
  spent_s_ += processor_time_s() - began_s;
  return known_.emplace(problem, std::move(prediction)).first->second;
}

std::optional<double> Predictions::busy_s(std::size_t place) {
  if (experiment_.of_runs()) {
    const Prediction prediction = makespan(place);
    if (!prediction.makespan_s) return std::nullopt;
    return 1.05 * *prediction.makespan_s;  // communication: 5 % of the makespan
  }
  return measuring_s(experiment_.at(place));
}

std::optional<double> Predictions::wall_s(std::size_t place) {
  return execution(experiment_.engine(place).name).wall_s(experiment_.ranks(place), [&] {
    return busy_s(place);
  });
}

Predicted predict(const Experiment& experiment, std::span<const std::size_t> places) {
  Predictions predictions(experiment);
  Predicted predicted;
  for (const std::size_t i : places) {
    const std::optional<double> wall_s = predictions.wall_s(i);
    predicted.each_s.push_back(wall_s.value_or(-1));
    predicted.sum_s += wall_s.value_or(0);
    if (!wall_s) ++predicted.unknown;
  }
  const std::size_t known = places.size() - predicted.unknown;
  const double average = known == 0 ? 0 : predicted.sum_s / static_cast<double>(known);
  std::ranges::replace(predicted.each_s, -1, average);
  return predicted;
}

}  // namespace regroup
