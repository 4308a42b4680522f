// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace regroup {

/// The rule for repetitions of a run: a number, or until its median makespan is precise enough.
struct Repetitions {
  int at_least = 1;
  int at_most = 1;
  /// Half the width of the 95 % interval of the median, relative to it; 0: always at_most.
  double until = 0;

  bool adaptive() const { return until > 0; }
  /// Returns the number of repetitions that every run has; if adaptive, enough for an interval.
  int certain() const;
  /// Returns whether runs with these makespans are enough.
  bool suffice(const std::vector<double>& makespans_s) const;
};

/// Parses a percentage from 0.01 to 100: "2%" is 0.02. Returns nullopt for other texts.
std::optional<double> percentage(const std::string& text);

}  // namespace regroup
