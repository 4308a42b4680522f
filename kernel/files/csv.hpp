// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// Reads `path`. Throws UserError as CsvReader does, and where the last line has no end: it may be
/// cut off.
CsvTable read_csv(const std::string& path);

/// One line with its end, quoted where needed. A text that a spreadsheet would take for a formula
/// gets an apostrophe in front, which reading takes off again.
std::string csv_line(const std::vector<std::string>& fields);

/// What `field` was before csv_line() put an apostrophe in front.
std::string_view without_apostrophe(std::string_view field);

}  // namespace regroup
