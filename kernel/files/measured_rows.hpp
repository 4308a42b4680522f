// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/files/csv.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// The rows of a file of measurements that ended well, and the numbers in them. All throw
/// UserError, with the file, where there is no such column.
class MeasuredRows {
 public:
  /// Throws UserError, with the file, where it cannot be read.
  explicit MeasuredRows(const std::string& file);

  const std::string& path() const { return table_.path; }
  const std::vector<std::string>& columns() const { return table_.columns; }

  /// Those that were not sent away, by their places in the file.
  const std::vector<std::size_t>& kept() const { return kept_; }
  void keep(const std::function<bool(std::size_t row)>& wanted);
  /// Throws UserError where none is left.
  void keep(std::string_view column, std::string_view value);

  const std::string& text(std::size_t row, std::string_view column) const {
    return table_.rows[row][table_.column(column)];
  }
  /// What stands in the column that `spec`, of a number, is named after. Throws UserError, with
  /// file and line, where `spec` does not allow it.
  double number(std::size_t row, const OptionSpec& spec) const;
  /// A number of ranks.
  int size(std::size_t row, std::string_view column) const;

 private:
  CsvTable table_;
  std::vector<std::size_t> kept_;
};

}  // namespace regroup
