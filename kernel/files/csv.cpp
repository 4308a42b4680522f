// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

void append_field(std::string& line, std::string_view field) {
  const bool blank = field.starts_with(' ') || field.ends_with(' ') ||  // which readers strip
                     field.starts_with('\t') || field.ends_with('\t');
  const bool quotes = blank || field.find_first_of(",\"\r\n") != field.npos;
  if (quotes) line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  if (quotes) line += '"';
}

}  // namespace

std::size_t CsvTable::column(std::string_view name) const {
  return CsvRow{path, columns, columns, 1}.column(name);
}

CsvTable read_csv(const std::string& path) {
  CsvReader reader(path);
  CsvTable table{path, reader.columns(), {}, {}};
  while (reader.next()) {
    table.rows.push_back(reader.row().fields);
    table.lines.push_back(reader.row().line);
  }
  reader.fail_if_torn();
  return table;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    append_field(line, field);
  }
  return line + '\n';
}

namespace {

std::size_t place(const std::string& path, const std::vector<std::string>& columns,
                  std::string_view name) {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) {
    throw UserError(fmt::format("{}:1: there is no column '{}'", path, name));
  }
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

bool CsvRow::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

std::size_t CsvRow::column(std::string_view name) const { return place(path, columns, name); }

CsvReader::CsvReader(std::string path) : path_(std::move(path)) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path_, unknown);
  if (exists(status) && !is_regular_file(status)) {  // opening a pipe could block
    throw UserError(fmt::format("{}: cannot be read: it is not a regular file", path_));
  }
  file_.open(path_, std::ios::binary);
  if (!file_) throw UserError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  if (!read_row()) fail(1, "there is no header row");
  columns_ = fields_;
}

std::size_t CsvReader::column(std::string_view name) const { return place(path_, columns_, name); }

bool CsvReader::next() {
  if (!read_row()) return false;
  if (fields_.size() != columns_.size()) {
    fail(first_line_, fmt::format("{} fields instead of {}", fields_.size(), columns_.size()));
  }
  return true;
}

void CsvReader::fail_if_torn() const {
  if (torn_ == 0) return;
  fail(torn_,
       "the last row has no end of line and may be incomplete; if it is complete, add an end of "
       "line");
}

bool CsvReader::read_row() {
  text_.clear();
  size_ = 0;
  row_is_whole_ = false;
  first_line_ = lines_ + 1;
  while (!row_is_whole_ && std::getline(file_, line_)) {
    if (file_.eof()) break;  // a line without end of line
    if (++lines_ == 1) line_ = without_byte_order_mark(line_);
    take_line();
  }
  if (file_.bad()) fail(lines_ + 1, "cannot be read");
  if (!row_is_whole_ && !text_.empty()) fail(first_line_, "a quote in this row is not closed");
  if (!row_is_whole_ && !line_.empty()) torn_ = first_line_;
  fields_.resize(size_);
  return row_is_whole_;
}

void CsvReader::take_line() {
  const bool first = text_.empty();
  text_.append(line_) += '\n';
  if (line_.ends_with('\r')) line_.pop_back();  // any other '\r' is an error
  if (first && line_.empty()) fail(lines_, "an empty line");
  if (const auto fault = fault_in(line_, "\t")) fail(lines_, fault->what);
  line_ += '\n';
  const auto end_field = [](void* text, std::size_t length, void* reader) {
    static_cast<CsvReader*>(reader)->add_field({static_cast<const char*>(text), length});
  };
  const auto end_row = [](int, void* reader) {
    static_cast<CsvReader*>(reader)->row_is_whole_ = true;
  };
  if (csv_parse(&parser_, line_.data(), line_.size(), end_field, end_row, this) == line_.size()) {
    return;
  }
  const int error = csv_error(&parser_);
  fail(first_line_, error == CSV_EPARSE ? "a quote in the middle of a field" : csv_strerror(error));
}

void CsvReader::add_field(std::string_view field) {
  if (size_ == fields_.size()) fields_.emplace_back();
  fields_[size_++].assign(field);
}

void CsvReader::fail(std::size_t line, const std::string& what) const {
  throw UserError(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace regroup
