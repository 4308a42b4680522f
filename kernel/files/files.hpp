// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

/// Returns the content of the file `path`; if it cannot be read, std::nullopt with errno set.
std::optional<std::string> read_file(const std::string& path);

bool file_exists(const std::string& path);

/// Like file_exists(), but also finds files that another host has just created in a shared
/// directory, whose clients may have cached their absence.
bool file_exists_by_now(const std::string& path);

/// Returns why `path` cannot be an input file: "cannot be read", "is not a regular file", "is
/// larger than 100 MB"; empty if it can.
std::string input_complaint(const std::string& path);

/// The absolute path of this program: "/usr/bin/regroup".
const std::filesystem::path& this_program();

/// Appends `text` to the existing file `path`. If this fails, removes the appended part and throws
/// std::runtime_error.
void append_whole(const std::string& path, std::string_view text);

/// A new file beside `path` that will replace it. Deleted unless installed.
class Draft {
 public:
  explicit Draft(const std::string& path);
  ~Draft();
  Draft(Draft&& other) noexcept;
  Draft& operator=(Draft&&) = delete;

  static std::string beside(const std::string& path) { return path + ".new"; }

  const std::string& path() const { return path_; }  ///< the file to be replaced
  std::uintmax_t size() const { return size_; }

  void write(std::string_view text);

  /// Writes everything to the disk and closes the file.
  void finish();

  /// Replaces `path` atomically.
  void install();

 private:
  void write_out();

  std::string path_;
  int file_;
  std::uintmax_t size_ = 0;
  std::string buffer_;
};

/// Replaces the content of `path` atomically.
void replace_file(const std::string& path, std::string_view text);

}  // namespace regroup
