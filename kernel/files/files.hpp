// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

/// The content of the file `path`; nothing, and errno, if it cannot be read.
std::optional<std::string> read_file(const std::string& path);

bool file_exists(const std::string& path);

/// The same for files that another host may just have made, in a shared directory whose clients may
/// remember their absence.
bool file_exists_by_now(const std::string& path);

/// Why `path` is no input file: "cannot be read", "is not a regular file", "is larger than 100 MB";
/// empty if it is one.
std::string input_complaint(const std::string& path);

/// The whole path of this program: "/usr/bin/regroup".
const std::filesystem::path& this_program();

/// Appends `text` to the existing file `path` in one piece. If that fails, the file is left as it
/// was, and std::runtime_error says why.
void append_whole(const std::string& path, std::string_view text);

/// A new file beside `path` that is to take its place.
class Draft {
 public:
  explicit Draft(const std::string& path);
  ~Draft();
  Draft(Draft&& other) noexcept;
  Draft& operator=(Draft&&) = delete;

  static std::string beside(const std::string& path) { return path + ".new"; }

  const std::string& path() const { return path_; }  ///< whose place it takes
  std::uintmax_t size() const { return size_; }

  void write(std::string_view text);

  /// Writes all of it to the disk.
  void finish();

  /// Takes the place of `path` in one step.
  void install();

 private:
  void write_out();

  std::string path_;
  int file_;
  std::uintmax_t size_ = 0;
  std::string buffer_;
};

/// Replaces the content of `path` in one step.
void replace_file(const std::string& path, std::string_view text);

}  // namespace regroup
