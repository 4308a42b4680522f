// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// " (did you mean 'collective'?)": the word of `allowed` that `word` most likely stands for; empty
/// where none is near. Near is what a few slips turn into each other, a third of the letters at
/// most: a letter too much, missing, another, or two that changed places; or the only word that
/// begins with `word`, of three letters or more, or has it behind a line, as in `rank_order`.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> allowed);

/// … of words that are kept otherwise, or the names of rows.
template <class List>
requires(!std::convertible_to<const List&, std::span<const std::string_view>>) std::string
    did_you_mean(std::string_view word, const List& allowed) {
  std::vector<std::string_view> words;
  for (const auto& one : allowed) {
    if constexpr (requires { one.name; }) {
      words.emplace_back(one.name);
    } else {
      words.emplace_back(one);
    }
  }
  return did_you_mean(word, std::span<const std::string_view>(words));
}

}  // namespace regroup
