// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/predict.hpp"

#include <ctime>

#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/interrupts.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {
namespace {

/// 0.9 s for 64 ranks and 2.4 s for 128 on 2 cores.
double launching_s(int ranks) { return 0.3 + 0.012 * ranks; }

/// Processor time of this thread: what is predicted does not depend on what else the machine does.
double now_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Prediction Predictions::simulated(std::size_t place) {
  const double end_s = now_s() + most_s - spent_s_;
  try {
    const auto stop = [&] { return now_s() > end_s || interrupted(); };
    return {simulate(experiment_.run(place), stop).makespan_s(), ""};
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
  const double began_s = now_s();
  Prediction prediction = simulated(place);
  spent_s_ += now_s() - began_s;
  return known_.emplace(problem, std::move(prediction)).first->second;
}

std::optional<double> Predictions::wall_s(std::size_t place) {
  const int ranks = experiment_.ranks(place);
  const std::string_view engine = experiment_.engine(place);
  if (engine == "virtual") return 1e-5 * ranks;
  // Up to 10 ms for each rank were measured, with asynchronous.
  if (engine == "simgrid") return 0.2 + 0.01 * ranks;
  const Prediction prediction = makespan(place);
  if (!prediction.makespan_s) return std::nullopt;
  // Communication: 5 % of the makespan.
  return launching_s(ranks) + 1.05 * *prediction.makespan_s;
}

double predicted_wall_s(const Measurement& measurement) {
  // All ranks meet a few times for each sample: 64 on 2 cores take 60 to 150 ms for it.
  const double sample_s = 1e-3 * measurement.ranks;
  return launching_s(measurement.ranks) + sample_s * measurement.parameters.real("samples");
}

}  // namespace regroup
