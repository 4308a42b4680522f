// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/csv.hpp"

#include <csv.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "kernel/read_file.hpp"
#include "kernel/user_error.hpp"

namespace regroup {
namespace {

struct Rows {
  std::vector<std::vector<std::string>> all;
  std::vector<std::string> current;
};

void end_field(void* text, std::size_t length, void* rows) {
  static_cast<Rows*>(rows)->current.emplace_back(static_cast<const char*>(text), length);
}

void end_row(int, void* rows) {
  auto& [all, current] = *static_cast<Rows*>(rows);
  all.push_back(std::move(current));
  current.clear();
}

std::string text_of(const std::string& path) {
  std::optional<std::string> text = read_file(path);
  if (!text) throw UserError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return *std::move(text);
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

/// Writes all of `text`; answers 0 or the error.
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

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) {
    throw UserError(fmt::format("{}:1: there is no column '{}'", path, name));
  }
  return static_cast<std::size_t>(found - columns.begin());
}

CsvTable read_csv(const std::string& path) {
  std::string text = text_of(path);
  text.erase(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);

  Rows rows;
  csv_parser parser{};
  csv_init(&parser, CSV_STRICT);
  const std::size_t parsed =
      csv_parse(&parser, text.data(), text.size(), end_field, end_row, &rows);
  const std::string problem = parsed == text.size() ? "" : csv_strerror(csv_error(&parser));
  csv_free(&parser);
  if (!problem.empty()) throw UserError(fmt::format("{}: no CSV: {}", path, problem));

  CsvTable table;
  table.path = path;
  if (rows.all.empty()) throw UserError(fmt::format("{}:1: there is no header row", path));
  table.columns = std::move(rows.all.front());
  rows.all.erase(rows.all.begin());
  table.rows = std::move(rows.all);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() != table.columns.size()) {
      throw UserError(fmt::format("{}:{}: {} fields instead of {}", path, i + 2,
                                  table.rows[i].size(), table.columns.size()));
    }
  }
  return table;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (!line.empty() || &field != &fields.front()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + '\n';
}

std::size_t append_whole(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path, errno);
  const off_t before = lseek(file, 0, SEEK_END);
  int error = write_all(file, text);
  if (error != 0 && ftruncate(file, before) != 0) {
    // Nothing more can be done: a reader passes over the torn last line.
  }
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail_to_write(path, error);
  return static_cast<std::size_t>(before);
}

void replace_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  const int file = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path, errno);
  int error = write_all(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(draft.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  unlink(draft.c_str());
  fail_to_write(path, error);
}

}  // namespace regroup
