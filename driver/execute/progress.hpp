// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/execute/execute.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {

/// Shows how a sweep gets on: on a terminal one line that is redrawn with the estimated time left,
/// otherwise a plain line for each task that ended.
class Progress {
 public:
  /// `predicted_s`: the likely wall time of each task to come.
  explicit Progress(std::vector<double> predicted_s);

  void begin(const std::string& description);
  /// `news`: how the run gets on, where that is known.
  void tick(const std::string& news = "");
  void end(const Report& report);
  /// The task in progress is left for later, because of what happened to it.
  void leave(const std::string& what_happened);
  /// The next one is left for later without being tried.
  void pass();

 private:
  void next(double spent_s);
  double left_s() const;

  std::vector<double> predicted_s_;
  double predicted_left_s_;  // for the task in progress and those to come
  TerminalLine line_;
  std::size_t task_ = 0;  // that is in progress, counted from 0
  std::string what_;
  double began_s_ = 0;
  double spent_s_ = 0;            // on the tasks that ended
  double predicted_ended_s_ = 0;  // what had been predicted for them
};

}  // namespace regroup
