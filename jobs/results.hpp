// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/run_record.hpp"

namespace regroup {

/// The directory of results of one experiment: runs.csv, regroups.csv, events.csv. The row of
/// runs.csv is written last; what the other files hold of a run without such a row is void.
class Results {
 public:
  explicit Results(std::string directory) : directory_(std::move(directory)) {}

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view file) const { return directory_ + "/" + std::string(file); }

  bool exist() const;
  void start_anew() const;

  /// Makes the files whole again after an interruption, and forgets all runs that did not end well
  /// where `retry` asks for it. Answers the fingerprints of the runs that are there.
  std::vector<std::string> resume(bool retry) const;

  void add(const RunRecord& record) const;

 private:
  std::string directory_;
};

}  // namespace regroup
