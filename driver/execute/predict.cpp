// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "driver/config/selection.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/columns.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/clocks/clock.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"

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

void Launching::learn(const std::string& directory) {
  std::vector<std::string> directories = shard_directories(directory);
  directories.push_back(directory);
  for (const std::string& one : directories) {
    const std::string path = one + "/" + file_of("run");
    if (!file_exists(path)) continue;
    try {
      learn_from_file(path);
    } catch (const UserError& error) {  // no reason not to plan
      print_error(fmt::format("{}; nothing was learnt from it", error.what()));
    }
  }
}

void Launching::learn_from_file(const std::string& path) {
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    if (row["status"] != "ok" || row["clock"] != "wall") continue;
    const auto ranks = parse<int>(row["ranks"]);
    const auto wall_s = parse<double>(row["wall_s"]);
    const auto makespan_s = parse<double>(row["makespan_s"]);
    if (!seen_.insert(row["run"]).second) continue;  // merged, and in its shard
    if (!ranks || *ranks < 1 || !wall_s || !makespan_s) continue;
    const double other_s = *wall_s - *makespan_s;
    if (std::isfinite(other_s) && other_s > 0) measured_s_[*ranks].push_back(other_s);
  }
}

std::size_t Launching::runs() const {
  std::size_t sum = 0;
  for (const auto& [ranks, all] : measured_s_) sum += all.size();
  return sum;
}

double Launching::seconds(int ranks) const {
  if (measured_s_.empty()) return usual_launching_s(ranks);
  auto nearest = measured_s_.lower_bound(ranks);
  if (nearest == measured_s_.end() ||
      (nearest != measured_s_.begin() &&
       ranks - std::prev(nearest)->first < nearest->first - ranks)) {
    --nearest;
  }
  const auto& [known, all] = *nearest;
  return median(all) * usual_launching_s(ranks) / usual_launching_s(known);
}

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
