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

/// How many processes the task at `index` is started with: one where it is simulated.
int processes_of(const Experiment& experiment, std::size_t index);

/// About how many milliseconds the task at `index` takes, for dividing tasks: the same number on
/// every machine.
std::int64_t weight_of(const Experiment& experiment, std::size_t index);

/// The time of launching and ending the ranks of a run: that of earlier runs, else the usual one.
class Launching {
 public:
  /// Learns from the runs in a directory of results, and from those of its shards.
  void learn(const std::string& directory);

  bool measured() const { return !measured_s_.empty(); }
  std::size_t runs() const;  ///< that it was learnt from

  /// Of so many ranks; by how much the nearest measured number differs from the usual time.
  double seconds(int ranks) const;

 private:
  void learn_from_file(const std::string& path);

  std::set<std::string> seen_;                     // runs
  std::map<int, std::vector<double>> measured_s_;  // by ranks
};

/// The makespan that a run has when communication is free, or why it is not known.
struct Prediction {
  std::optional<double> makespan_s;
  std::string failure;  ///< empty also where the time for predictions was over
};

/// Predicts the tasks of `experiment`, which must outlive it, by simulations in virtual time, one
/// for all runs with the same problem. After `most_s` seconds of processor time there are no more.
class Predictions {
 public:
  static constexpr double most_s = 1;

  /// For walkers that compute, item times are the item_ms of the configuration or, with `probes`,
  /// those of a few items executed here on one rank. Without either, the length of their runs is
  /// unknown.
  explicit Predictions(const Experiment& experiment, bool probes = false)
      : experiment_(experiment), probes_(probes) {}

  /// Milliseconds per item on one rank, by the name of the probed walker.
  const std::map<std::string, double>& probed_ms() const { return probed_ms_; }
  /// Whether the length of a run is unknown because its item time is.
  bool lacks_item_times() const { return lacks_item_times_; }

  /// Of a run.
  Prediction makespan(std::size_t index);

  /// The wall time that the whole task is likely to take, launching included.
  std::optional<double> wall_s(std::size_t index);

 private:
  Prediction simulated(std::size_t index);
  std::optional<double> busy_s(std::size_t index);

  /// The item time for `task`; nothing if unknown.
  std::optional<double> item_ms(const Task& task);

  const Experiment& experiment_;
  const bool probes_;
  bool lacks_item_times_ = false;
  std::map<std::string, double> probed_ms_;
  // By problem and, for real runs, by walker.
  std::map<std::pair<std::size_t, std::string>, Prediction> known_;
  double spent_s_ = 0;
};

/// What the tasks at some indices are likely to take.
struct Predicted {
  /// Tasks of unknown length count as the average of the others; all are equal if none is known.
  std::vector<double> each_s;
  double sum_s = 0;         ///< of those that are known
  std::size_t unknown = 0;  ///< tasks
};
Predicted predict(const Experiment& experiment, std::span<const std::size_t> indices);

}  // namespace regroup
