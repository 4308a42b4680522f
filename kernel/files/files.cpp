// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace regroup {

std::optional<std::string> read_file(const std::string& path) {
  // Other files, such as pipes and /dev/zero, might never end.
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
  if (!is_regular_file(status)) return "is not a regular file";
  const bool large = std::filesystem::file_size(path, error) > most_bytes || error;
  return large ? "is larger than 100 MB" : "";
}

bool file_exists(const std::string& path) {
  std::error_code no_path;
  return std::filesystem::exists(path, no_path);
}

bool file_exists_by_now(const std::string& path) {
  // When a directory is opened, NFS clients ask the server again for files cached as absent.
  const std::string directory = std::filesystem::path(path).parent_path();
  if (DIR* opened = opendir(directory.empty() ? "." : directory.c_str())) closedir(opened);
  return file_exists(path);
}

const std::filesystem::path& this_program() {
  static const std::filesystem::path found = std::filesystem::read_symlink("/proc/self/exe");
  return found;
}

namespace {

constexpr std::size_t buffer_size = 1 << 20;

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

/// Writes all of `text`. Returns 0 or the value of errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void append_whole(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) fail_to_write(path, errno);
  const off_t size = lseek(file, 0, SEEK_END);
  int error = size < 0 ? errno : write_all(file, text);
  if (error != 0 && ftruncate(file, size) != 0) {
    // Readers detect the incomplete last line.
  }
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail_to_write(path, error);
}

Draft::Draft(const std::string& path) : path_(path) {
  const std::string draft = beside(path);
  unlink(draft.c_str());  // left by a killed writer
  file_ = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) fail_to_write(path, errno);
}

Draft::Draft(Draft&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      buffer_(std::move(other.buffer_)) {
  other.path_.clear();
}

Draft::~Draft() {
  if (file_ >= 0) close(file_);
  if (!path_.empty()) unlink(beside(path_).c_str());
}

void Draft::write(std::string_view text) {
  size_ += text.size();
  buffer_ += text;
  if (buffer_.size() >= buffer_size) write_out();
}

void Draft::write_out() {
  if (const int error = write_all(file_, std::exchange(buffer_, {}))) fail_to_write(path_, error);
}

void Draft::finish() {
  write_out();
  // Some file systems do not support fsync and do not need it.
  int error = fsync(file_) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
  if (close(std::exchange(file_, -1)) != 0 && error == 0) error = errno;
  if (error != 0) fail_to_write(path_, error);
}

void Draft::install() {
  if (std::rename(beside(path_).c_str(), path_.c_str()) != 0) fail_to_write(path_, errno);
  path_.clear();
}

void replace_file(const std::string& path, std::string_view text) {
  Draft draft(path);
  draft.write(text);
  draft.finish();
  draft.install();
}

}  // namespace regroup
