// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// The command's side of a run that survives the loss of ranks: guards report losses to it, and the
/// other ranks learn of them from it, all in the same order. So the command must outlive the run.
class LossBoard {
 public:
  LossBoard(std::string outcome_file, int ranks)
      : outcome_file_(std::move(outcome_file)), known_(static_cast<std::size_t>(ranks), false) {}

  /// Publishes the losses that guards have reported. Returns a message about new ones, such as
  /// "rank 5 was lost: killed by signal 9"; empty if there are none.
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
