// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "driver/store/record.hpp"
#include "driver/store/run_files.hpp"

namespace regroup {

/// Keeps a second sweep out of a directory of results by an flock(2) on its file `lock`, which
/// names the holder. The system releases it when the process ends, even if it is killed.
class Lock {
 public:
  /// Throws UserError if another process holds the lock, or if the file cannot be written.
  explicit Lock(const std::string& directory);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

/// Describes the process that is adding to the results in `directory`; empty if there is none.
std::string holder_of_lock(const std::string& directory);

/// A directory of results to which a sweep adds. The row of a task in the first table is written
/// last; rows of tasks without one in the other tables are void, and resume() removes them.
class Results {
 public:
  /// Results of measurements of `kind`, or of runs if it is nullptr.
  Results(std::string directory, const MeasurementKind* kind, const Catalog& catalog);

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view file) const { return directory_ + "/" + std::string(file); }
  std::string table() const { return path(tables_.front().name); }

  bool exist() const;

  /// Creates the directory if it does not exist, and locks it. Throws UserError if that fails, or
  /// if it contains results of another kind.
  void open();

  /// Reads which tasks have a result. A task that did not end well has none if `again` is true.
  void read(const std::function<bool(const std::string& run)>& again);

  bool has(const std::string& run) const;
  const std::set<int>& invocations() const { return invocations_; }  ///< that wrote rows

  /// Removes the files of earlier sweeps except the paths `kept`, and starts with empty tables.
  void begin_anew(const std::set<std::string>& kept = {});

  /// Removes rows and draws of tasks for which has() is false, and incomplete last lines.
  void resume();

  void add_provenance(const std::string& document) const;

  /// Adds a task to all tables. If that fails, adds it to none and throws std::runtime_error.
  void add(const Record& record);

  /// Stores the file of a place, to which later rows refer, unless it exists.
  void keep(const PlaceFile& place) const;

 private:
  void check_kind() const;

  std::string directory_;
  const MeasurementKind* kind_;
  const Catalog& catalog_;
  std::vector<Column> columns_;
  std::vector<TableFile> tables_;
  std::optional<Lock> lock_;
  std::unordered_set<std::uint64_t> runs_;
  std::set<int> invocations_;
};

}  // namespace regroup
