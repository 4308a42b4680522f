// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// " (did you mean 'collective'?)": the word of `allowed` nearest to `word`; empty if none is near.
/// Near are few slips (a letter too much, missing, another, or two swapped; in at most a third of
/// the letters), or the only word that begins with the three or more letters of `word`, or contains
/// it between underscores.
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
