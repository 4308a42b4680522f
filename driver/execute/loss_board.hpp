// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// The command's side of a run that goes on when ranks are lost: their guards report it, and the
/// others hear of it from here, all in the same order. So the command must outlive the run.
class LossBoard {
 public:
  /// Of a run with this outcome file, on `ranks` ranks.
  LossBoard(std::string outcome_file, int ranks)
      : outcome_file_(std::move(outcome_file)), known_(static_cast<std::size_t>(ranks), false) {}

  /// Passes on what guards have reported by now. Returns what is new, such as "rank 5 was lost:
  /// killed by signal 9"; empty if nothing is.
  std::string look();

  bool any() const { return !lines_.empty(); }

  /// Removes the files.
  void remove() const;

 private:
  std::string outcome_file_;
  std::vector<bool> known_;  // by rank
  std::string lines_;
};

}  // namespace regroup
