// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "library/task.hpp"

namespace regroup {

/// Hashes of the files that runs read, such as traces and measured data.
class InputFiles {
 public:
  /// Returns the files of a run: those in its options, and the Python file of its walker.
  static std::vector<std::string> of(const Task& task);

  /// Returns the files in the options of the walker of a run.
  static std::vector<std::string> of_walker(const Task& task);

  /// Reads the files of `task` that have not been read before.
  void read(const Task& task);

  /// Returns the hashes of the contents of the files of `task`, for Run::inputs, or nothing if one
  /// of the files could not be read.
  std::optional<std::string> hash(const Task& task) const;

 private:
  std::map<std::string, std::optional<std::string>> hashes_;  // by file
};

/// Returns `task` with absolute paths of the files in its options, because its ranks may have
/// another working directory.
Task with_absolute_files(Task task);

}  // namespace regroup
