// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/merge.hpp"
#include "driver/store/record.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/clocks/clock.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

/// Returns the time with perfect balance: that of a real balancer would have to be simulated.
std::optional<double> busy_s(const Experiment& experiment, std::size_t index) {
  const Task task = experiment.at(index);
  if (!task.is_run()) return measuring_s(task.measurement(), task.ranks);
  try {
    return ideal_s(task, initial_items(task));
  } catch (const std::exception&) {
    return 0;  // an input file does not fit, so the task ends at once
  }
}

}  // namespace

int processes_of(const Experiment& experiment, std::size_t index) {
  return experiment.is_real(index) ? experiment.ranks(index) : 1;
}

std::int64_t weight_of(const Experiment& experiment, std::size_t index) {
  const std::optional<double> wall_s =
      engine_of(experiment, index).wall_s(experiment.ranks(index), [&] {
        return busy_s(experiment, index);
      });
  constexpr double most_ms = 1e12;  // thirty years; sums of a million are still exact
  return std::max<std::int64_t>(1, std::llround(std::min(1e3 * wall_s.value_or(0), most_ms)));
}

void Launching::learn(const std::string& directory) {
  std::vector<std::string> directories = shard_directories(directory);
  directories.push_back(directory);
  for (const std::string& one : directories) {
    const std::string path = one + "/" + file_of(nullptr);
    if (!file_exists(path)) continue;
    try {
      learn_from_file(path);
    } catch (const UserError& error) {  // planning does not need it
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
    if (!seen_.insert(row["run"]).second) continue;  // the row of a merged run is also in its shard
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

/// Measures the milliseconds per item of the walker of `task` on one rank: the mean over a quarter
/// of a second, after a first item that may take longer.
double probe_ms(const Task& task) {
  constexpr double enough_s = 0.25;
  const Run& run = task.run();
  const WalkerSource source = source_of(*run.walker.row, run.walker.options);
  LiveChain chain(source, {0, task.stream()});
  Team alone;
  chain.join(alone);
  chain.execute(0, alone);
  const double began_s = read_clock(CLOCK_MONOTONIC);
  double took_s = 0;
  std::int64_t items = 0;
  while (items == 0 || (took_s < enough_s && !chain.done())) {
    chain.execute(0, alone);
    ++items;
    took_s = read_clock(CLOCK_MONOTONIC) - began_s;
  }
  chain.leave(alone);
  return 1e3 * took_s / static_cast<double>(items);
}

/// Returns the processor time of this thread, so that predictions do not depend on other load.
double processor_time_s() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

Prediction Predictions::simulated(std::size_t index) {
  const double end_s = processor_time_s() + most_s - spent_s_;
  try {
    const auto stop = [&] { return processor_time_s() > end_s || interrupted(); };
    Task task = experiment_.at(index);
    const std::optional<double> known_ms = item_ms(task);
    if (!known_ms) return {{}, "the time of its items is unknown"};
    task.run().item_ms = *known_ms;
    return {simulate(task, stop).makespan_s(), ""};
  } catch (const Stopped&) {
    return {};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

std::optional<double> Predictions::item_ms(const Task& task) {
  if (!task.has_own_times()) return task.run().item_ms;
  if (!probes_) {
    if (experiment_.has_item_ms) return task.run().item_ms;
    lacks_item_times_ = true;
    return std::nullopt;
  }
  const std::string walker = describe_row(*task.run().walker.row, task.run().walker.options);
  const auto known = probed_ms_.find(walker);
  if (known != probed_ms_.end()) return known->second;
  const double began_s = processor_time_s();
  const double ms = probe_ms(task);
  spent_s_ -= processor_time_s() - began_s;  // not part of the time for predictions
  return probed_ms_.emplace(walker, ms).first->second;
}

Prediction Predictions::makespan(std::size_t index) {
  std::pair<std::size_t, std::string> problem{experiment_.problem(index), ""};
  if (experiment_.is_real(index)) {
    const Task task = experiment_.at(index);
    problem.second = describe_row(*task.run().walker.row, task.run().walker.options);
  }
  const auto known = known_.find(problem);
  if (known != known_.end()) return known->second;
  if (spent_s_ >= most_s || interrupted()) return {};
  const double began_s = processor_time_s();
  Prediction prediction = simulated(index);
  spent_s_ += processor_time_s() - began_s;
  return known_.emplace(problem, std::move(prediction)).first->second;
}

std::optional<double> Predictions::busy_s(std::size_t index) {
  if (experiment_.of_runs()) {
    const Prediction prediction = makespan(index);
    if (!prediction.makespan_s) return std::nullopt;
    return 1.05 * *prediction.makespan_s;  // communication: 5 % of the makespan
  }
  const Task task = experiment_.at(index);
  return measuring_s(task.measurement(), task.ranks);
}

std::optional<double> Predictions::wall_s(std::size_t index) {
  return engine_of(experiment_, index).wall_s(experiment_.ranks(index), [&] {
    return busy_s(index);
  });
}

Predicted predict(const Experiment& experiment, std::span<const std::size_t> indices) {
  Predictions predictions(experiment);
  Predicted predicted;
  for (const std::size_t i : indices) {
    const std::optional<double> wall_s = predictions.wall_s(i);
    predicted.each_s.push_back(wall_s.value_or(-1));
    predicted.sum_s += wall_s.value_or(0);
    if (!wall_s) ++predicted.unknown;
  }
  const std::size_t known = indices.size() - predicted.unknown;
  const double average = known == 0 ? 1 : predicted.sum_s / static_cast<double>(known);
  std::ranges::replace(predicted.each_s, -1, average);
  return predicted;
}

}  // namespace regroup
