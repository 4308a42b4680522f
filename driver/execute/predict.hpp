// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
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

  explicit Predictions(const Experiment& experiment) : experiment_(experiment) {}

  /// Of a run.
  Prediction makespan(std::size_t index);

  /// The wall time that the whole task is likely to take, launching included.
  std::optional<double> wall_s(std::size_t index);

 private:
  Prediction simulated(std::size_t index);
  std::optional<double> busy_s(std::size_t index);

  const Experiment& experiment_;
  std::unordered_map<std::size_t, Prediction> known_;  // by problem
  double spent_s_ = 0;
};

/// What the tasks at some indices are likely to take.
struct Predicted {
  std::vector<double> each_s;  ///< those of unknown length: as much as the others on average
  double sum_s = 0;            ///< of those that are known
  std::size_t unknown = 0;     ///< tasks
};
Predicted predict(const Experiment& experiment, std::span<const std::size_t> indices);

}  // namespace regroup
