// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/did_you_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace regroup {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::size_t longest_word = 64;  // longer words are ignored

/// Converts `word` to lower case, and blanks and hyphens to underscores.
std::string plain(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Returns the number of typing errors between two words: their optimal string alignment distance.
std::size_t slips(std::string_view a, std::string_view b) {
  using Row = std::vector<std::size_t>;
  std::array<Row, 3> rows;  // of the current letter of `a` and the two before it
  rows.fill(Row(b.size() + 1));
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::ranges::rotate(rows, rows.begin() + 2);
    auto& [now, last, one_before] = rows;
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + other});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], one_before[j - 2] + 1);
    }
  }
  return rows[0][b.size()];
}

/// Returns the only word of `allowed` that begins with `word` or contains it between underscores.
std::string_view completed(const std::string& word, Words allowed) {
  const auto fits = [&](std::string_view other) {
    return plain(other).starts_with(word) ||
           (plain(other) + '_').find('_' + word + '_') != word.npos;
  };
  if (word.size() < 3 || std::ranges::count_if(allowed, fits) != 1) return {};
  return *std::ranges::find_if(allowed, fits);
}

std::string_view nearest(const std::string& word, Words allowed) {
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view other : allowed) {
    if (other.size() > longest_word) continue;
    const std::size_t number = slips(word, plain(other));
    if (number >= fewest || number >= other.size()) continue;
    fewest = number;
    best = other;
  }
  return best;
}

}  // namespace

std::string did_you_mean(std::string_view word, Words allowed) {
  if (word.size() < 2 || word.size() > longest_word) return {};
  const std::string meant = plain(word);
  std::string_view found = completed(meant, allowed);
  if (found.empty()) found = nearest(meant, allowed);
  return found.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", found);
}

}  // namespace regroup
