// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

/// The content of the file `path`, or nothing where it cannot be read; errno then says why.
std::optional<std::string> read_file(const std::string& path);

/// Whether there is something at `path`; not where it can be no path at all.
bool file_exists(const std::string& path);

/// The same, for what somebody on another host may have made just now in a directory that hosts
/// share: there, a file that was looked for before may seem absent for some time.
bool file_exists_by_now(const std::string& path);

/// What keeps `path` from being a file that runs read, who read it often: "cannot be read", "is no
/// regular file", "is larger than 100 MB". Empty where nothing does.
std::string input_complaint(const std::string& path);

/// The whole path of this program: "/usr/bin/regroup".
const std::filesystem::path& this_program();

/// Adds `text` to the end of the file `path` in one piece. Where it cannot be written, or is not
/// there any more, it is left as it was and std::runtime_error says why.
void append_whole(const std::string& path, std::string_view text);

/// A new file beside `path` that is to take its place.
class Draft {
 public:
  explicit Draft(const std::string& path);
  ~Draft();
  Draft(Draft&& other) noexcept;
  Draft& operator=(Draft&&) = delete;

  /// Where the draft of `path` stands until then.
  static std::string beside(const std::string& path) { return path + ".new"; }

  const std::string& path() const { return path_; }  ///< whose place it takes
  std::uintmax_t size() const { return size_; }

  void write(std::string_view text);

  /// Puts all of it on the disk. What can fail has been done then.
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
