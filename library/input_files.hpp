// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "library/task.hpp"

namespace regroup {

/// The contents of files that runs read: a trace, or what was measured.
class InputFiles {
 public:
  /// The files that the options of `task` name.
  static std::vector<std::string> of(const Task& task);

  /// Those that its walker reads.
  static std::vector<std::string> of_walker(const Task& task);

  /// Reads those of `task` that were not read before.
  void read(const Task& task);

  /// The hash of the contents of those of `task`, which is Run::inputs. Nothing where one of them
  /// could not be read.
  std::optional<std::string> hash(const Task& task) const;

 private:
  std::map<std::string, std::optional<std::string>> hashes_;  // by file
};

/// `task` with absolute paths of the files that its options name: its ranks may have another
/// working directory.
Task with_absolute_files(Task task);

}  // namespace regroup
