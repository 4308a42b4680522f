// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/store/columns.hpp"
#include "kernel/files/files.hpp"

namespace regroup {

/// A table of results, a CSV file. Its first column is `run`, the fingerprint of what the row tells
/// about.
struct ResultFile {
  std::string name;
  std::vector<ResultColumn> columns;
};

/// The tables of a sweep as a directory holds them. The first has one row for each task, and this
/// row is written last: what the other tables hold of a task without such a row is void. The row
/// also tells which invocation of the command wrote it (`invocation`), and how many rows the task
/// has in each other table NAME.csv (`NAME_rows`).
class Inventory {
 public:
  using Chosen = std::function<bool(const std::string& run)>;

  /// The tables with the columns that the first one needs for all this.
  static std::vector<ResultFile> tables(std::vector<ResultFile> files);

  /// `lines`, one text for each table about a task, with what belongs into these columns.
  static std::vector<std::string> lines(std::vector<std::string> lines, int invocation);

  /// Reads `files` in `directory`. Those but the first may be missing. Throws UserError, with file
  /// and line, for what cannot stand in them.
  Inventory(const std::string& directory, const std::vector<ResultFile>& files);

  /// Forgets those of the tasks in `again` that lost rows, and where `retry` asks for it those that
  /// did not end well.
  void forget(bool retry, const Chosen& again);

  struct Task {
    std::uint64_t run = 0;
    int invocation = 0;
    bool ended_well = false;
    bool lost_rows = false;
    bool forgotten = false;
  };
  const std::vector<Task>& tasks() const { return tasks_; }

  bool has(const std::string& run) const;
  std::set<int> invocations() const;  ///< of the tasks that are left

  /// Tasks that lost rows and are left nevertheless.
  std::size_t damaged() const;

  /// Whether the table at place `file` must be written anew to be whole.
  bool changes(std::size_t file) const;
  /// Writes its new content. Answers what it loses, in words; nothing where it loses nothing.
  std::string write(std::size_t file, Draft& draft) const;

 private:
  using Counts = std::vector<std::int64_t>;  // of rows, for each task

  std::vector<Counts> read_tasks();
  void count_rows(std::size_t file, Counts missing);
  bool keeps(std::uint64_t run) const;

  std::string directory_;
  std::vector<ResultFile> files_;
  std::vector<Task> tasks_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // in tasks_
  std::vector<bool> whole_;  // tables that hold all they should and nothing else
};

// The dictionary of the tables beside them, for programs: a Data Package
// (https://specs.frictionlessdata.io/data-package), whose fields have a `unit` besides.

inline constexpr std::string_view data_package_file = "datapackage.json";

/// That of `tables`, all of their columns included. The others tell of the tasks of the first.
std::string data_package(std::span<const ResultFile> tables);

}  // namespace regroup
