// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// Returns " (did you mean 'collective'?)" with the word of `allowed` that is nearest to `word`;
/// empty if none is near. A word is near if few letters (at most a third) are added, missing,
/// replaced or swapped with the next one, or if `word` has at least three letters and it is the
/// only word that begins with `word` or contains it between underscores.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> allowed);

/// Same for other lists of words, or for the names of rows.
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
