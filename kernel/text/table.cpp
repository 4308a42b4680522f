// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/table.hpp"

#include <algorithm>

namespace regroup {
namespace {

std::size_t width(const std::string& text) {  // in characters, not in bytes
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::fit(const Cells& row) {
  widths_.resize(std::max(widths_.size(), row.size()));
  for (std::size_t c = 0; c < row.size(); ++c) widths_[c] = std::max(widths_[c], width(row[c]));
}

std::string TextTable::line(const Cells& row, const std::vector<std::size_t>& left,
                            bool markdown) const {
  std::string line = markdown ? "|" : "";
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string pad(widths_[c] - width(row[c]), ' ');
    line += markdown ? " " : "";
    line += std::ranges::find(left, c) != left.end() ? row[c] + pad : pad + row[c];
    line += markdown ? " |" : "  ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string TextTable::rule() const {
  std::string rule = "|";
  for (const std::size_t width : widths_) rule += std::string(width + 2, '-') + "|";
  return rule + "\n";
}

std::string text_table(const std::vector<Cells>& rows, const std::vector<std::size_t>& left,
                       bool markdown) {
  TextTable table;
  for (const Cells& row : rows) table.fit(row);
  std::string text;
  for (const Cells& row : rows) {
    text += table.line(row, left, markdown);
    if (markdown && &row == &rows.front()) text += table.rule();
  }
  return text;
}

}  // namespace regroup
