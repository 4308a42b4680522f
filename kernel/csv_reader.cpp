// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernel/user_error.hpp"

namespace regroup {
namespace {

constexpr std::size_t piece = 1 << 18;

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

CsvReader::CsvReader(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {
  if (!file_) throw UserError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  csv_init(&parser_, CSV_STRICT | CSV_REPALL_NL);
  while (whole_ == 0 && read_piece()) {
  }
  if (whole_ == 0) fail(1, "there is no header row");
  columns_ = rows_.front().fields;
  columns_.resize(rows_.front().size);
  next_ = 1;
}

CsvReader::~CsvReader() { csv_free(&parser_); }

std::size_t CsvReader::column(std::string_view name) const { return place(path_, columns_, name); }

bool CsvReader::next() {
  while (next_ == whole_) {
    if (!read_piece()) return false;
  }
  Row& row = rows_[next_++];
  if (row.size != columns_.size()) {
    fail(row.line, fmt::format("{} fields instead of {}", row.size, columns_.size()));
  }
  row.fields.resize(row.size);
  return true;
}

CsvRow CsvReader::row() const {
  const Row& row = rows_[next_ - 1];
  return {path_, columns_, row.fields, row.line};
}

bool CsvReader::read_piece() {
  if (!file_) return false;
  std::swap(rows_.front(), rows_[whole_]);  // what was not yet whole
  whole_ = next_ = 0;
  std::string text(piece, '\0');
  file_.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file_.gcount()));
  if (file_.bad()) throw UserError(fmt::format("{}: cannot be read", path_));
  const std::size_t parsed =
      csv_parse(&parser_, text.data(), text.size(), end_field, end_row, this);
  if (parsed != text.size()) fail(line_, csv_strerror(csv_error(&parser_)));
  if (!text.empty()) at_line_end_ = text.back() == '\n';
  if (!file_) end_file();
  return true;
}

void CsvReader::end_file() {
  // Whatever the parser has not handed over is a row without an end, or a field without one.
  const std::size_t field = line_;
  const std::size_t row = rows_[whole_].size > 0 ? rows_[whole_].line : line_;
  const std::size_t before = whole_;
  csv_fini(&parser_, end_field, end_row, this);
  const bool something = whole_ > before;
  whole_ = before;
  if (!something) return;
  if (at_line_end_) fail(field, "a quote that begins here has no end");
  torn_ = row;
}

void CsvReader::end_field(void* text, std::size_t length, void* reader) {
  CsvReader& self = *static_cast<CsvReader*>(reader);
  Row& row = self.rows_[self.whole_];
  if (row.size == 0) row.line = self.line_;
  if (row.size == row.fields.size()) row.fields.emplace_back();
  const char* begin = static_cast<const char*>(text);
  row.fields[row.size++].assign(begin, length);
  self.line_ += static_cast<std::size_t>(std::count(begin, begin + length, '\n'));
}

void CsvReader::end_row(int end, void* reader) {
  CsvReader& self = *static_cast<CsvReader*>(reader);
  if (end == '\n') ++self.line_;
  if (self.rows_[self.whole_].size == 0) return;  // an empty line, or the second half of "\r\n"
  if (++self.whole_ == self.rows_.size()) self.rows_.emplace_back();
  self.rows_[self.whole_].size = 0;
}

void CsvReader::fail(std::size_t line, const std::string& what) const {
  throw UserError(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace regroup
