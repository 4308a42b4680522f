// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace regroup {

/// How often each run is repeated: a number, or until its median makespan is known well enough.
struct Repetitions {
  int at_least = 1;
  int at_most = 1;
  /// Half the width of the 95 % interval of the median, relative to it; 0: at_most in any case.
  double until = 0;

  bool adaptive() const { return until > 0; }
  /// How many every run has: an interval needs some, too.
  int certain() const;
  /// Whether runs that took so long are enough.
  bool suffice(const std::vector<double>& makespans_s) const;
};

/// "2%", from 0.01 to 100: nothing for other texts.
std::optional<double> percentage(const std::string& text);

}  // namespace regroup
