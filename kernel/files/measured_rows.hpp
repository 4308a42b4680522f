// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/files/csv.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// The rows of a measurement file with the status ok. All functions throw UserError with the file
/// if a column is missing.
class MeasuredRows {
 public:
  /// Throws UserError with the file if it cannot be read.
  explicit MeasuredRows(const std::string& file);

  const std::string& path() const { return table_.path; }
  const std::vector<std::string>& columns() const { return table_.columns; }

  /// The indices of the selected rows in the file.
  const std::vector<std::size_t>& kept() const { return kept_; }
  void keep(const std::function<bool(std::size_t row)>& wanted);
  /// Keeps the selected rows with this value. Throws UserError if none is left.
  void keep(std::string_view column, std::string_view value);

  const std::string& text(std::size_t row, std::string_view column) const {
    return table_.rows[row][table_.column(column)];
  }
  /// Returns the number in the column `spec.name`. Throws UserError with file and line if `spec`
  /// does not allow it.
  double number(std::size_t row, const OptionSpec& spec) const;
  /// Returns a number of ranks. Throws like number().
  int size(std::size_t row, std::string_view column) const;

 private:
  CsvTable table_;
  std::vector<std::size_t> kept_;
};

}  // namespace regroup
