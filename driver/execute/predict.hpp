// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/config/experiment.hpp"

namespace regroup {

/// Returns the number of processes that the task at `index` starts: one if it is simulated.
int processes_of(const Experiment& experiment, std::size_t index);

/// Returns the approximate duration of the task at `index` in milliseconds, for dividing tasks: the
/// same number on every machine.
std::int64_t weight_of(const Experiment& experiment, std::size_t index);

/// Estimates the time to launch and end the ranks of a run, from earlier runs if there are any.
class Launching {
 public:
  /// Learns from the runs in a directory of results, and from those of its shards.
  void learn(const std::string& directory);

  bool measured() const { return !measured_s_.empty(); }
  std::size_t runs() const;  ///< number of runs that it learnt from

  /// Returns the usual time of `ranks` ranks, scaled as measured at the nearest number of ranks.
  double seconds(int ranks) const;

 private:
  void learn_from_file(const std::string& path);

  std::set<std::string> seen_;                     // hashes of runs
  std::map<int, std::vector<double>> measured_s_;  // by ranks
};

/// The makespan of a run with free communication, or why it is unknown.
struct Prediction {
  std::optional<double> makespan_s;
  std::string failure;  ///< also empty if the time for predictions was used up
};

/// Predicts the tasks of `experiment`, which must outlive it, by simulations in virtual time, one
/// for all runs with the same problem. Simulations take at most `most_s` seconds of processor time.
class Predictions {
 public:
  static constexpr double most_s = 1;

  /// For walkers that compute, item times are the item_ms of the configuration or, with `probes`,
  /// those of a few items executed here on one rank. Without either, the length of their runs is
  /// unknown.
  explicit Predictions(const Experiment& experiment, bool probes = false)
      : experiment_(experiment), probes_(probes) {}

  /// Returns the milliseconds per item on one rank, by the description of the probed walker.
  const std::map<std::string, double>& probed_ms() const { return probed_ms_; }
  /// Returns whether the length of a run is unknown because its item time is.
  bool lacks_item_times() const { return lacks_item_times_; }

  /// Predicts the makespan of a run.
  Prediction makespan(std::size_t index);

  /// Predicts the wall time of a task, launching included.
  std::optional<double> wall_s(std::size_t index);

 private:
  Prediction simulated(std::size_t index);
  std::optional<double> busy_s(std::size_t index);

  /// Returns the item time for `task`; nothing if unknown.
  std::optional<double> item_ms(const Task& task);

  const Experiment& experiment_;
  const bool probes_;
  bool lacks_item_times_ = false;
  std::map<std::string, double> probed_ms_;
  // By problem and, for real runs, by walker.
  std::map<std::pair<std::size_t, std::string>, Prediction> known_;
  double spent_s_ = 0;
};

/// The predicted durations of some tasks.
struct Predicted {
  /// Tasks of unknown duration count as the average of the others; all are equal if none is known.
  std::vector<double> each_s;
  double sum_s = 0;         ///< of the known durations
  std::size_t unknown = 0;  ///< number of tasks of unknown duration
};
Predicted predict(const Experiment& experiment, std::span<const std::size_t> indices);

}  // namespace regroup
