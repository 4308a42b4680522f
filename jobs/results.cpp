// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "jobs/ended.hpp"
#include "kernel/csv.hpp"
#include "kernel/user_error.hpp"

namespace regroup {
namespace {

/// The content of `file` with only those rows whose run is in `runs`.
std::string only(const std::string& path, const std::set<std::string>& runs,
                 const ResultFile& file) {
  std::string text = csv_line(file.columns);
  if (std::filesystem::exists(path)) {
    const CsvTable table = read_csv(path);
    const std::size_t run = table.column("run");
    for (const auto& row : table.rows) {
      if (runs.contains(row[run])) text += csv_line(row);
    }
  }
  return text;
}

}  // namespace

bool Results::exist() const { return std::filesystem::exists(path(files_.front().name)); }

void Results::put(const std::string& file, std::string_view text) {
  checksums_.forget();
  replace_file(path(file), text);
  checksums_.replaced(file, text);
}

void Results::start_anew() {
  std::filesystem::create_directories(directory_);
  for (std::size_t i = files_.size(); i-- > 0;) put(files_[i].name, csv_line(files_[i].columns));
}

std::vector<std::string> Results::resume(bool retry) {
  const ResultFile& main = files_.front();
  const CsvTable table = read_csv(path(main.name));
  if (table.columns != main.columns) {
    throw UserError(
        fmt::format("{}:1: written by another version of regroup, whose columns differ; "
                    "--overwrite starts anew, --out names another directory",
                    table.path));
  }
  const std::size_t run = table.column("run");
  const std::size_t status = table.column("status");
  std::set<std::string> there;
  std::string text = csv_line(table.columns);
  for (const auto& row : table.rows) {
    if (retry && row[status] != name(Status::ok)) continue;
    there.insert(row[run]);
    text += csv_line(row);
  }
  put(main.name, text);
  for (std::size_t i = 1; i < files_.size(); ++i) {
    put(files_[i].name, only(path(files_[i].name), there, files_[i]));
  }
  return {there.begin(), there.end()};
}

void Results::add(const std::vector<std::string>& lines) {
  std::map<std::string, std::uintmax_t> before;
  try {
    for (std::size_t i = files_.size(); i-- > 0;) {
      if (lines[i].empty()) continue;
      const std::string file = path(files_[i].name);
      before[file] = append_whole(file, lines[i]);
    }
  } catch (...) {
    for (const auto& [file, size] : before) {
      std::error_code ignored;  // what is left over of the task is void
      std::filesystem::resize_file(file, size, ignored);
    }
    throw;
  }
  for (std::size_t i = 0; i < files_.size(); ++i) checksums_.grew(files_[i].name, lines[i]);
  checksums_.write(true);
}

}  // namespace regroup
