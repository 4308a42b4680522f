// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace regroup {

using Cells = std::vector<std::string>;

/// Aligns rows: all are fitted in before the first is printed.
class TextTable {
 public:
  void fit(const Cells& row);

  /// The columns in `left` are aligned to the left.
  std::string line(const Cells& row, const std::vector<std::size_t>& left, bool markdown) const;
  /// Below the headings in Markdown.
  std::string rule() const;

 private:
  std::vector<std::size_t> widths_;
};

/// `rows`, the first of which holds the headings. Columns in `left` are aligned to the left.
std::string text_table(const std::vector<Cells>& rows, const std::vector<std::size_t>& left,
                       bool markdown = false);

}  // namespace regroup
