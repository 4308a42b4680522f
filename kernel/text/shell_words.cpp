// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/shell_words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace regroup {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) result.push_back(std::exchange(word, {}));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) result.push_back(word);
  return result;
}

std::string quoted(const std::string& word) {
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./,:=@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\"'\"'" : std::string(1, c);
  return text + "'";
}

}  // namespace regroup
