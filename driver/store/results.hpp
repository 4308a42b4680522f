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

/// Keeps a second sweep out of a directory of results: an flock(2) on its file `lock`, which says
/// who holds it. The system releases it when the process ends, however it ends.
class Lock {
 public:
  /// Throws UserError where somebody else holds it, or where it cannot be written.
  explicit Lock(const std::string& directory);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

/// Who is adding to the results in `directory`, in words; empty where nobody is.
std::string holder_of_lock(const std::string& directory);

/// A directory of results, and how a sweep adds to it. The row of a task is written last: what the
/// other tables hold of a task without a row is void, and removed by resume().
class Results {
 public:
  /// Of measurements of `kind`, or of runs where it is nullptr.
  Results(std::string directory, const MeasurementKind* kind, const Catalog& catalog);

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view file) const { return directory_ + "/" + std::string(file); }
  std::string table() const { return path(tables_.front().name); }

  bool exist() const;

  /// Makes the directory where it is not there, and locks it. Throws UserError where that is not
  /// possible, or where it holds results of another kind.
  void open();

  /// Reads which tasks are there; those in `again` that did not end well count as missing.
  void read(const std::function<bool(const std::string& run)>& again);

  bool has(const std::string& run) const;
  const std::set<int>& invocations() const { return invocations_; }  ///< that wrote the rows

  /// Removes what earlier sweeps wrote, except `kept`, and begins with empty tables.
  void begin_anew(const std::set<std::string>& kept = {});

  /// Removes from the tables what belongs to no task that has(), and a torn last line.
  void resume();

  void add_provenance(const std::string& document) const;

  /// Adds a task: to all tables, or else to none, and then it throws std::runtime_error.
  void add(const Record& record);

  /// Keeps the file of a place, which rows to come name.
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
