// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/words/terminal_text.hpp"

#include <algorithm>

namespace regroup {
namespace {

bool begins_character(char byte) { return (byte & 0xC0) != 0x80; }

/// Of the character that begins with `byte`: from U+3000 on many are two columns wide.
std::size_t columns_from(char byte) { return static_cast<unsigned char>(byte) >= 0xE3 ? 2 : 1; }

constexpr std::string_view ellipsis = "…";

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char byte : text) {
    if (begins_character(byte)) columns += columns_from(byte);
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t taken = width_of(ellipsis);
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!begins_character(text[end])) continue;
    taken += columns_from(text[end]);
    if (taken > columns) break;
  }
  return std::string(text.substr(0, end)) + std::string(ellipsis);
}

std::string folded(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t taken = 0;  // of the last line
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t width = width_of(word);
    if (result.empty()) {
      taken = width;
    } else if (taken + 1 + width <= columns) {
      result += ' ';
      taken += 1 + width;
    } else {
      result += '\n' + std::string(indent, ' ');
      taken = indent + width;
    }
    result += word;
  }
  return result;
}

}  // namespace regroup
