// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/csv.hpp"
#include "kernel/outcome.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// How a run ended.
enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array statuses{Status::ok, Status::failed, Status::timeout, Status::killed,
                                     Status::unsupported};
std::string_view name(Status status);

/// One run with what came out of it: a row of runs.csv.
struct RunRecord {
  Scenario scenario;
  Status status = Status::ok;
  std::string message;             ///< why it did not end well
  std::optional<Outcome> outcome;  ///< where it did
  double wall_s = 0;               ///< of the whole run, launch and end included
};

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

/// The runs of a directory read back; in the order of their rows.
struct StoredRun {
  std::string id;
  Scenario scenario;
  std::string status;
  std::vector<std::string> fields;  ///< of its row
};
struct StoredResults {
  CsvTable runs;
  std::vector<StoredRun> list;
};
StoredResults read_runs(const std::string& directory);

/// The lives of the groups of every run, by the run's fingerprint.
std::map<std::string, std::vector<GroupLife>> read_events(const std::string& directory);

}  // namespace regroup
