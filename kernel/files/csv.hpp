// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csv.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A CSV file (RFC 4180) with a header row, as a whole.
struct CsvTable {
  std::string path;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  ///< that each row begins in

  /// The place of the column `name`. Throws UserError, with the file, where there is none.
  std::size_t column(std::string_view name) const;
};

/// Reads `path`. Throws UserError as CsvReader does, and for a last line without its end.
CsvTable read_csv(const std::string& path);

/// One line with its end, quoted where needed.
std::string csv_line(const std::vector<std::string>& fields);

/// One row of a CSV file, and where it stands.
struct CsvRow {
  const std::string& path;
  const std::vector<std::string>& columns;
  const std::vector<std::string>& fields;  ///< as many as there are columns
  std::size_t line;                        ///< that it begins in

  bool has(std::string_view column) const;
  /// The index of a column, and its cell. Throws UserError, with the file, if there is none.
  std::size_t column(std::string_view name) const;
  const std::string& operator[](std::string_view name) const { return fields[column(name)]; }
};

/// Reads a CSV file (RFC 4180) with a header row, one row at a time. Throws UserError, with file
/// and line, for open quotes, too few or too many fields, empty lines, invalid UTF-8 and control
/// characters.
class CsvReader {
 public:
  /// Throws UserError where the file cannot be read or has no header row.
  explicit CsvReader(std::string path);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column(std::string_view name) const;

  /// Reads the next row, in place of the one before. False at the end of the file.
  bool next();
  CsvRow row() const { return {path_, columns_, fields_, first_line_}; }
  const std::string& text() const { return text_; }  ///< of the row, as it stands in the file

  /// At the end of the file: the line of an unfinished last row, which is not read; else 0.
  std::size_t torn() const { return torn_; }
  /// Throws UserError where there is one.
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
  std::string line_;                 // that was read last
  std::string text_;                 // of the row so far
  std::vector<std::string> fields_;  // of the row so far are the first …
  std::size_t size_ = 0;             // … so many
  bool row_is_whole_ = false;
  std::size_t lines_ = 0;  // that were read
  std::size_t first_line_ = 0;
  std::size_t torn_ = 0;
};

}  // namespace regroup
