// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace regroup {

/// Parses all of `text` as a number, independently of the locale. Returns std::nullopt if it is not
/// a number or is out of range. `base`: of an integer, 10 by default.
template <class Number, class... Base>
std::optional<Number> parse(std::string_view text, Base... base) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, base...);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace regroup
