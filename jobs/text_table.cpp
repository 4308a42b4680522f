// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/text_table.hpp"

#include <algorithm>

namespace regroup {
namespace {

std::size_t width(const std::string& text) {  // in characters, not in bytes
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string text_table(const std::vector<Cells>& rows, const std::vector<std::size_t>& left,
                       bool markdown) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string rule = "|";
  for (const std::size_t w : widths) rule += std::string(w + 2, '-') + "|";

  std::string text;
  for (const Cells& row : rows) {
    std::string line = markdown ? "|" : "";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad(widths[c] - width(row[c]), ' ');
      line += markdown ? " " : "";
      line += std::ranges::find(left, c) != left.end() ? row[c] + pad : pad + row[c];
      line += markdown ? " |" : "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (markdown && &row == &rows.front()) text += rule + "\n";
  }
  return text;
}

}  // namespace regroup
