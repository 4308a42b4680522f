// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/checksums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "jobs/records/place_file.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/files/write_file.hpp"

namespace regroup {
namespace {

constexpr std::size_t digits = 64;

/// Hands over the content of the file at `path` in pieces.
template <class Piece>
void read_in_pieces(const std::string& path, Piece piece) {
  std::ifstream file(path, std::ios::binary);
  std::string buffer(1 << 16, '\0');
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    piece(std::string_view(buffer.data(), static_cast<std::size_t>(file.gcount())));
  }
}

bool is_sum_of_beginning(const std::string& path, const std::string& sum) {
  Sha256 beginning;
  bool found = false;
  read_in_pieces(path, [&](std::string_view text) {
    while (!found && !text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      beginning.add(text.substr(0, end));
      found = text[end - 1] == '\n' && beginning.hex() == sum;
      text.remove_prefix(end);
    }
  });
  return found;
}

}  // namespace

Checksums::~Checksums() {
  try {
    write();
  } catch (const std::exception&) {
    std::error_code ignored;
    std::filesystem::remove(fmt::format("{}/{}", directory_, checksums_file), ignored);
  }
}

void Checksums::reread(const std::string& file) {
  Sha256 sum;
  read_in_pieces(fmt::format("{}/{}", directory_, file),
                 [&](std::string_view text) { sum.add(text); });
  sums_.insert_or_assign(file, std::move(sum));
}

void Checksums::came(const std::string& file) {
  if (sums_.contains(file) || others_.contains(file)) return;
  reread(file);
  written_ = false;
  write();
}

std::vector<std::string> Checksums::changed(const std::vector<std::string>& files,
                                            bool killed) const {
  const std::vector<std::string> unknown{std::string(checksums_file)};
  SumsByFile sums;
  try {
    sums = read_checksums(directory_);
  } catch (const UserError&) {
    return unknown;
  }
  // They are not there for a moment only, in which a sweep may be killed.
  if (sums.empty()) return killed ? std::vector<std::string>{} : unknown;
  std::vector<std::string> result;
  for (const std::string& file : files) {
    const std::string path = fmt::format("{}/{}", directory_, file);
    if (!std::filesystem::exists(path)) continue;
    const Sameness found = sums.contains(file) ? compare(path, sums[file]) : Sameness::changed;
    if (found == Sameness::changed || (found == Sameness::grown && !killed)) result.push_back(file);
  }
  return result;
}

void Checksums::grew(const std::string& file, std::string_view text) {
  sums_.at(file).add(text);
  written_ = false;
}

void Checksums::write(bool at_leisure) {
  const auto now = std::chrono::steady_clock::now();
  if (written_ || (at_leisure && now - last_ < std::chrono::seconds(1))) return;
  std::string text;
  for (const auto& [file, sum] : sums_) text += fmt::format("{}  {}\n", sum.hex(), file);
  for (const auto& [file, sum] : others_) {
    if (!sums_.contains(file)) text += fmt::format("{}  {}\n", sum, file);
  }
  replace_file(fmt::format("{}/{}", directory_, checksums_file), text);
  written_ = true;
  last_ = now;
}

void Checksums::forget() {
  try {
    for (const auto& [file, sum] : read_checksums(directory_)) others_[file] = sum;
  } catch (const UserError&) {
    // Nothing in it can be kept, then.
  }
  written_ = false;
  std::filesystem::remove(fmt::format("{}/{}", directory_, checksums_file));
}

SumsByFile read_checksums(const std::string& directory) {
  const std::string path = fmt::format("{}/{}", directory, checksums_file);
  std::ifstream file(path);
  SumsByFile sums;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string sum = line.substr(0, digits);
    const bool hexadecimal = sum.find_first_not_of("0123456789abcdef") == std::string::npos;
    const std::string name = line.size() > digits + 2 ? line.substr(digits + 2) : "";
    // "  " before a name is text, " *" binary: to sha256sum they are the same.
    const bool is_here = name.find('/') == std::string::npos || is_place_file_name(name);
    if (!hexadecimal || name.empty() || !is_here ||
        (line.substr(digits, 2) != "  " && line.substr(digits, 2) != " *") ||
        !sums.emplace(name, sum).second) {
      throw UserError(fmt::format("{}:{}: no line of 'sha256sum' on a file here", path, number));
    }
  }
  return sums;
}

Sameness compare(const std::string& path, const std::string& sum) {
  Sha256 whole;
  read_in_pieces(path, [&](std::string_view text) { whole.add(text); });
  if (whole.hex() == sum) return Sameness::same;
  return is_sum_of_beginning(path, sum) ? Sameness::grown : Sameness::changed;
}

}  // namespace regroup
