// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csv.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// The contents of a CSV file (RFC 4180) with a header row.
struct CsvTable {
  std::string path;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  ///< line in which each row begins

  /// Returns the index of column `name`. Throws UserError with the file if there is none.
  std::size_t column(std::string_view name) const;
};

/// Reads `path`. Throws UserError like CsvReader, and if the last line has no end of line.
CsvTable read_csv(const std::string& path);

/// Returns one line with its end of line. Fields are quoted if necessary.
std::string csv_line(const std::vector<std::string>& fields);

/// One row of a CSV file and its position.
struct CsvRow {
  const std::string& path;
  const std::vector<std::string>& columns;
  const std::vector<std::string>& fields;  ///< as many as there are columns
  std::size_t line;                        ///< line in which the row begins

  bool has(std::string_view column) const;
  /// Return the index of a column and its cell. Throw UserError with the file if there is none.
  std::size_t column(std::string_view name) const;
  const std::string& operator[](std::string_view name) const { return fields[column(name)]; }
};

/// Reads a CSV file (RFC 4180) with a header row, one row at a time. Throws UserError with file and
/// line for unclosed quotes, too few or too many fields, empty lines, invalid UTF-8 and control
/// characters.
class CsvReader {
 public:
  /// Throws UserError if the file cannot be read or has no header row.
  explicit CsvReader(std::string path);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column(std::string_view name) const;

  /// Reads the next row, which replaces the previous one. Returns false at the end of the file.
  bool next();
  CsvRow row() const { return {path_, columns_, fields_, first_line_}; }
  const std::string& text() const { return text_; }  ///< of the row, as in the file

  /// At the end of the file: the line of an incomplete last row, which is skipped; 0 if none.
  std::size_t torn() const { return torn_; }
  /// Throws UserError if the last row is incomplete.
  void fail_if_torn() const;

 private:
  struct Parser : csv_parser {
    Parser() { csv_init(this, CSV_STRICT); }
    ~Parser() { csv_free(this); }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;
  };

  bool read_row();
  void take_line();
  void add_field(std::string_view field);
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  std::string path_;
  std::vector<std::string> columns_;
  std::ifstream file_;
  Parser parser_;
  std::string line_;                 // the last line read
  std::string text_;                 // of the row so far
  std::vector<std::string> fields_;  // the first size_ belong to the row
  std::size_t size_ = 0;             // number of fields of the row so far
  bool row_is_whole_ = false;
  std::size_t lines_ = 0;  // number of lines read
  std::size_t first_line_ = 0;
  std::size_t torn_ = 0;
};

}  // namespace regroup
