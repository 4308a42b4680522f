// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/files.hpp"

#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace regroup {

std::optional<std::string> read_file(const std::string& path) {
  // What is no regular file, a pipe or /dev/zero for instance, might never end.
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!is_regular_file(status)) {
    errno = error ? error.value() : is_directory(status) ? EISDIR : EINVAL;
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

std::string input_complaint(const std::string& path) {
  constexpr std::uintmax_t most_bytes = 100'000'000;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!exists(status) || access(path.c_str(), R_OK) != 0) return "cannot be read";
  if (!is_regular_file(status)) return "is no regular file";
  const bool large = std::filesystem::file_size(path, error) > most_bytes || error;
  return large ? "is larger than 100 MB" : "";
}

bool is_there(const std::string& path) {
  std::error_code no_path;
  return std::filesystem::exists(path, no_path);
}

bool is_there_by_now(const std::string& path) {
  // Opening a directory has clients of NFS ask its server again for what they thought absent.
  const std::string directory = std::filesystem::path(path).parent_path();
  if (DIR* opened = opendir(directory.empty() ? "." : directory.c_str())) closedir(opened);
  return is_there(path);
}

}  // namespace regroup
