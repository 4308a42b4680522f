// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/selection/weight.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/engine.hpp"

namespace regroup {
namespace {

/// With perfect balance: what a balancer makes of it would have to be simulated.
std::optional<double> busy_s(const Experiment& experiment, std::size_t place) {
  const Scenario task = experiment.at(place);
  if (!task.is_run()) return measuring_s(task);
  try {
    return ideal_s(task);
  } catch (const std::exception&) {
    return 0;  // a file of it does not fit, and so it ends at once
  }
}

}  // namespace

double measuring_s(const Scenario& measurement) {
  // All ranks meet a few times for each sample: 64 on 2 cores take 60 to 150 ms for it.
  const Options& options = measurement.measure.options;
  double sample_s = 1e-3 * measurement.ranks;
  const bool timed = find_entry(standard_catalog().walkers, measurement.walker.name)->timed;
  if (options.has("items_per_sample") && timed) {  // after the warm-ups samples last twice as long
    sample_s +=
        2e-3 * measurement.item_ms * options.real("items_per_sample") / options.real("group_size");
  }
  if (options.has("elements_per_rank")) {  // each is sorted, hashed and moved on all levels
    sample_s += 2e-7 * measurement.ranks * options.real("elements_per_rank");
  }
  return sample_s * options.real("samples");
}

int processes_of(const Experiment& experiment, std::size_t place) {
  return experiment.engine(place).real ? experiment.ranks(place) : 1;
}

std::int64_t weight_of(const Experiment& experiment, std::size_t place) {
  const std::optional<double> wall_s =
      execution(experiment.engine(place).name).wall_s(experiment.ranks(place), [&] {
        return busy_s(experiment, place);
      });
  constexpr double most_ms = 1e12;  // thirty years: sums of a million are still exact
  return std::max<std::int64_t>(1, std::llround(std::min(1e3 * wall_s.value_or(0), most_ms)));
}

}  // namespace regroup
