// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {

/// The states of chains in a directory, from which a run that was ended goes on: for each chain a
/// file CHAIN.state with the last state that was written. One process writes a chain's at a time;
/// all read.
class StateFiles {
 public:
  /// A chain as a file has it.
  struct Saved {
    std::int64_t items = 0;  ///< that were executed
    bool done = false;       ///< it has ended by itself
    State state;
  };

  /// `kind` tells what chains they are: walker, options, stream. Others are refused.
  StateFiles(std::string directory, std::string kind)
      : directory_(std::move(directory)), kind_(std::move(kind)) {}

  const std::string& directory() const { return directory_; }

  /// Replaces what there is of that chain, in one step.
  void write(int chain, const Saved& saved) const;

  /// Nothing where there is no file of it. Throws UserError, which names the file, where it is
  /// damaged or tells of another chain.
  std::optional<Saved> read(int chain) const;

 private:
  std::string path(int chain) const;
  std::string head(int chain, const Saved& saved) const;

  std::string directory_;
  std::string kind_;
};

/// What is left of `items`, those of the chains 0, 1, …, after what `files` tell was executed.
/// Throws UserError where one of these is damaged, of other chains, or of a longer one.
std::vector<std::int64_t> items_left(std::span<const std::int64_t> items, const StateFiles& files);

/// The directory of states beside the file of a task, RUN.task.json: RUN.states.
std::string states_beside(const std::string& task_file);

}  // namespace regroup
