// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "jobs/configuration/experiment.hpp"

namespace regroup {

/// The makespan that a run has when communication is free, or why it is not known.
struct Prediction {
  std::optional<double> makespan_s;
  std::string failure;  ///< empty also where the time for predictions was over
};

/// Predicts the tasks of `experiment`, which must outlive it: each balancer is simulated in virtual
/// time, once for all runs with the same problem. This may take `most_s` seconds of processor time
/// in all; further runs have no prediction.
class Predictions {
 public:
  static constexpr double most_s = 1;

  explicit Predictions(const Experiment& experiment) : experiment_(experiment) {}

  /// Of a run.
  Prediction makespan(std::size_t place);

  /// The wall time that the whole task is likely to take, launching included.
  std::optional<double> wall_s(std::size_t place);

 private:
  Prediction simulated(std::size_t place);
  std::optional<double> busy_s(std::size_t place);

  const Experiment& experiment_;
  std::unordered_map<std::size_t, Prediction> known_;  // by problem
  double spent_s_ = 0;
};

/// What the tasks at some places are likely to take.
struct Predicted {
  std::vector<double> each_s;  ///< those of unknown length: as much as the others on average
  double sum_s = 0;            ///< of those that are known
  std::size_t unknown = 0;     ///< tasks
};
Predicted predict(const Experiment& experiment, std::span<const std::size_t> places);

}  // namespace regroup
