// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/checksums.hpp"

namespace regroup {

/// A CSV file of results. Its first column is `run`, the fingerprint of what the row tells about.
struct ResultFile {
  std::string name;
  std::vector<std::string> columns;
};

/// The directory of results of one series. The first of its files has one row for each task, and
/// this row is written last: what the other files hold of a task without such a row is void.
class Results {
 public:
  Results(std::string directory, std::vector<ResultFile> files)
      : directory_(std::move(directory)), files_(std::move(files)), checksums_(directory_) {}

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view file) const { return directory_ + "/" + std::string(file); }

  bool exist() const;
  void start_anew();

  /// Makes the files whole again after an interruption, and forgets all tasks that did not end well
  /// where `retry` asks for it. Answers the fingerprints of the tasks that are there.
  std::vector<std::string> resume(bool retry);

  /// Replaces a file, of the series or beside them, that the checksums are to know.
  void put(const std::string& file, std::string_view text);

  /// Adds what the files, in their order, tell of one task: all of it, or else nothing, and then it
  /// throws. The checksums may lag behind by a second.
  void add(const std::vector<std::string>& lines);

  /// Brings the checksums up to date.
  void close() { checksums_.write(); }

 private:
  std::string directory_;
  std::vector<ResultFile> files_;
  Checksums checksums_;
};

}  // namespace regroup
