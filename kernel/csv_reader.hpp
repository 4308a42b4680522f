// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csv.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// One row of a CSV file, and where it stands.
struct CsvRow {
  const std::string& path;
  const std::vector<std::string>& columns;
  const std::vector<std::string>& fields;  ///< as many as there are columns
  std::size_t line;                        ///< that it begins in

  bool has(std::string_view column) const;
  /// The place of a column, and its cell. Throws UserError, with the file, where there is none.
  std::size_t column(std::string_view name) const;
  const std::string& operator[](std::string_view name) const { return fields[column(name)]; }
};

/// Reads a CSV file (RFC 4180) with a header row one row at a time: for files that are too large to
/// be held as a whole.
class CsvReader {
 public:
  /// Throws UserError where the file cannot be read or has no header row.
  explicit CsvReader(std::string path);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column(std::string_view name) const;

  /// Goes on to the next row; the one before is gone then. Answers false at the end of the file.
  /// Throws UserError, with the line, where a row has the wrong number of fields or a wrong quote.
  bool next();
  CsvRow row() const;

  /// At the end of the file: the line of a last row without its end, which a killed writer may
  /// leave and which is not read; else 0.
  std::size_t torn() const { return torn_; }

 private:
  struct Row {
    std::size_t line = 0;
    std::size_t size = 0;  // of its fields those that count; the others wait to be used again
    std::vector<std::string> fields;
  };

  static void end_field(void* text, std::size_t length, void* reader);
  static void end_row(int end, void* reader);

  bool read_piece();
  void end_file();
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  std::string path_;
  std::vector<std::string> columns_;
  std::ifstream file_;
  csv_parser parser_{};
  std::vector<Row> rows_{1};  // that were read; the last is not yet whole
  std::size_t whole_ = 0;     // of them
  std::size_t next_ = 0;      // of them
  std::size_t line_ = 1;      // of what is read next
  bool at_line_end_ = true;
  std::size_t torn_ = 0;
};

}  // namespace regroup
