// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A CSV file (RFC 4180) with a header row.
struct CsvTable {
  std::string path;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// The place of the column `name`. Throws UserError, with the file, where there is none.
  std::size_t column(std::string_view name) const;
};

/// Reads `path`. A last line without its end, which a killed writer may leave, does not count.
/// Throws UserError where the file cannot be read or a row has the wrong number of fields.
CsvTable read_csv(const std::string& path);

/// One line with its end, quoted where needed.
std::string csv_line(const std::vector<std::string>& fields);

/// Adds `text` to the end of `path` in one piece. Where that fails, the file is left as it was and
/// std::runtime_error says why. Answers how many bytes it had before.
std::size_t append_whole(const std::string& path, std::string_view text);

/// Replaces the content of `path` in one step.
void replace_file(const std::string& path, std::string_view text);

}  // namespace regroup
