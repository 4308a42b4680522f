// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace regroup {

using Cells = std::vector<std::string>;

/// Aligns the columns of rows. Call fit() with all rows before the first call of line().
class TextTable {
 public:
  void fit(const Cells& row);

  /// Returns a line. The columns in `left` are aligned to the left, others to the right.
  std::string line(const Cells& row, const std::vector<std::size_t>& left, bool markdown) const;
  /// Returns the line below the headings in Markdown.
  std::string rule() const;

 private:
  std::vector<std::size_t> widths_;
};

/// Returns `rows` as a table; the first row contains the headings. `left`: as for line().
std::string text_table(const std::vector<Cells>& rows, const std::vector<std::size_t>& left,
                       bool markdown = false);

}  // namespace regroup
