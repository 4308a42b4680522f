// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/store/record.hpp"
#include "kernel/files/csv.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

/// What is wrong with results, and what could not be checked in them.
class Faults {
 public:
  /// `line` 0: the file as a whole.
  void add(const std::string& path, std::size_t line, const std::string& what);

  /// Something that could not be checked; what is said several times is told once, with its number.
  void unchecked(const std::string& what, std::size_t times = 1) { unchecked_[what] += times; }

  void add(const Faults& others);

  std::size_t count() const { return count_; }

  /// The first twenty, and what could not be checked.
  void print() const;

 private:
  std::size_t count_ = 0;
  std::vector<std::string> first_;
  std::map<std::string, std::size_t> unchecked_;
};

// What `regroup verify` checks, part by part. Each part adds what is wrong to `faults`, and throws
// UserError where a file is none of ours.

struct Verified {
  std::size_t rows = 0;
  std::size_t ended_well = 0;
  std::set<std::string> places;  ///< files in places/ that rows name
};

/// The rows of a run in a file beside runs.csv, which follow each other.
template <class Content>
struct Block {
  std::size_t line = 0;  ///< of the first
  std::vector<Content> rows;
};

/// One run as the files of a directory tell of it.
struct RunInFiles {
  std::string directory;
  const std::vector<std::string>& columns;  ///< of runs.csv
  std::size_t line;                         ///< in runs.csv
  std::string id;
  std::vector<std::string> fields;
  Record record;                 ///< what runs.csv says; its outcome has no lives
  bool inputs_are_known = true;  ///< what the row, or the files themselves, say
  bool inputs_are_there = true;  ///< the files that it read are still as they were
  std::optional<Block<GroupLife>> events;
  std::optional<Block<std::pair<std::int64_t, std::int64_t>>> regroups;
  std::optional<Block<ChainReport>> chains;
};

/// Recomputes all that can be recomputed of one run: its name, its figures, its events.
Faults verify_run(RunInFiles run);

/// All runs of `directory`, and that its files belong together.
Verified verify_runs(const std::string& directory, Origins& origins, Faults& faults);

/// All measurements of `kind`.
Verified verify_measurements(const MeasurementKind& kind, const std::string& directory,
                             Origins& origins, Faults& faults);

/// That `files`, those of the results, are as they were written.
void verify_checksums(const std::string& directory, const std::vector<std::string>& files,
                      Faults& faults);

/// Whether a sweep holds the directory, or was killed while it did. Then its files may have rows
/// that the checksums do not know yet, and rows of a run that runs.csv does not have yet.
bool is_unfinished(const std::string& directory);

/// Tells which columns of a file cannot be checked, as another version of regroup wrote it.
void compare_columns(const std::string& path, const std::vector<std::string>& columns,
                     const std::vector<std::string>& known, Faults& faults);

/// That the last row of a file, which was read to its end, is whole.
void check_end(const CsvReader& reader, bool unfinished, Faults& faults);

}  // namespace regroup
