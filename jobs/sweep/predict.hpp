// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "jobs/configuration/experiment.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// The makespan that a run has when communication is free, or why it is not known.
struct Prediction {
  std::optional<double> makespan_s;
  std::string failure;  ///< empty also where the time for predictions was over
};

/// Predicts the runs of `experiment`, which must outlive it: each balancer is simulated in virtual
/// time, once for all runs with the same problem. This may take `most_s` seconds of processor time
/// in all; further runs have no prediction.
class Predictions {
 public:
  static constexpr double most_s = 1;

  explicit Predictions(const Experiment& experiment) : experiment_(experiment) {}

  Prediction makespan(std::size_t place);

  /// The wall time that the whole run is likely to take, launching included.
  std::optional<double> wall_s(std::size_t place);

 private:
  Prediction simulated(std::size_t place);

  const Experiment& experiment_;
  std::unordered_map<std::size_t, Prediction> known_;  // by problem
  double spent_s_ = 0;
};

/// Likewise of a measurement.
double predicted_wall_s(const Measurement& measurement);

}  // namespace regroup
