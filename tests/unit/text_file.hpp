// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace regroup {

/// An empty directory, named after the test; removed at the end of the test.
class TestDirectory {
 public:
  explicit TestDirectory(const std::string& suffix = "")
      : path_(testing::TempDir() + "regroup_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + suffix + "." +
              std::to_string(getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  ~TestDirectory() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }

  /// Writes `text` to `file`; creates missing parent directories.
  void write(const std::string& file, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(path(file)).parent_path());
    std::ofstream(path(file), std::ios::binary) << text;
  }

 private:
  std::string path_;
};

/// A file that contains `text`, named after the test; removed at the end of the test.
class TextFile {
 public:
  explicit TextFile(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }

  /// Returns the message of the Error thrown by `read`, without its leading path, or "none".
  template <class Error, class Read>
  std::string mistake(Read read) const {
    try {
      read();
    } catch (const Error& error) {
      const std::string_view text = error.what();
      EXPECT_TRUE(text.starts_with(path_)) << text;
      return std::string(text.substr(std::min(text.size(), path_.size())));
    }
    return "none";
  }

 private:
  std::string path_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

}  // namespace regroup
