// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fuzz/input.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "kernel/text/plain_text.hpp"

namespace regroup::fuzz {
namespace {

class Directory {
 public:
  Directory() : path_(std::filesystem::temp_directory_path() / "regroup-fuzz-XXXXXX") {
    expect(mkdtemp(path_.data()) != nullptr, "no temporary directory");
    // Commands print the results that they read; no fuzz target checks this output.
    expect(std::freopen("/dev/null", "w", stdout) != nullptr, "no /dev/null");
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::size_t number_taken = 0;

}  // namespace

const std::string& directory() {
  static const Directory own;
  return own.path();
}

std::string write(std::string_view name, std::string_view text) {
  const std::string path = fmt::format("{}/{}", directory(), name);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  expect(static_cast<bool>(file), "the input cannot be written");
  return path;
}

bool accepted(const std::string& path, const std::function<void()>& read) {
  try {
    read();
    ++number_taken;
    return true;
  } catch (const UserError& error) {
    expect(std::string_view(error.what()).starts_with(path), error.what());
  } catch (const std::invalid_argument& error) {
    expect(std::string_view(error.what()).starts_with(path), error.what());
  }
  return false;
}

bool survived(const std::function<void()>& read) {
  try {
    read();
    ++number_taken;
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::size_t taken() { return number_taken; }

void expect(bool condition, std::string_view what) {
  if (condition) return;
  fmt::print(stderr, "fault: {}\n", what);
  std::abort();
}

}  // namespace regroup::fuzz
