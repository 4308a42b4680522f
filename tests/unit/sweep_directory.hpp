// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "driver/execute/sweep.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "tests/tasks.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {

/// Suppresses standard output and standard error during its lifetime.
struct Silence {
  Silence() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    testing::internal::GetCapturedStdout();
    testing::internal::GetCapturedStderr();
  }
};

/// A result directory for sweeps, named after the test; removed at the end of the test.
class SweepDirectory : public TestDirectory {
 public:
  explicit SweepDirectory(const std::string& suffix = "") : TestDirectory(suffix) {
    std::filesystem::remove(path());  // the sweep creates it
  }

  std::string text(const std::string& file) const { return read_file(path(file)).value(); }

  /// Runs a configuration and returns the exit code.
  int sweep(const std::string& configuration, SweepOptions options = {}) const {
    options.directory = path();
    const Silence silence;
    return run_sweep(read_experiment({"test.yaml", configuration}, catalog()), options);
  }

  /// Returns the cells of a table, including its header.
  std::vector<std::vector<std::string>> cells(const std::string& file) const {
    CsvReader reader(path(file));
    std::vector<std::vector<std::string>> all{reader.columns()};
    while (reader.next()) {
      std::vector<std::string>& row = all.emplace_back();
      for (const std::string& column : reader.columns()) row.push_back(reader.row()[column]);
    }
    return all;
  }
  void write(const std::string& file, const std::vector<std::vector<std::string>>& cells) const {
    std::string text;
    for (const auto& row : cells) text += csv_line(row);
    replace_file(path(file), text);
  }
};

}  // namespace regroup
