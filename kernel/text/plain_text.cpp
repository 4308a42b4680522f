// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/plain_text.hpp"

#include <fmt/format.h>
#include <utf8.h>

#include <cstdint>

namespace regroup {
namespace {

/// Includes characters that YAML does not allow: the byte order mark and noncharacters.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

}  // namespace

std::optional<TextFault> fault_in(std::string_view text, std::string_view allowed) {
  const char* const end = text.data() + text.size();
  const char* const wrong = utf8::find_invalid(text.data(), end);
  for (const char* at = text.data(); at != wrong;) {
    const auto place = static_cast<std::size_t>(at - text.data());
    const std::uint32_t c = utf8::unchecked::next(at);
    if (!is_control(c) || (c < 0x80 && allowed.find(static_cast<char>(c)) != allowed.npos)) {
      continue;
    }
    return TextFault{place, fmt::format("control character U+{:04X}", c)};
  }
  if (wrong == end) return std::nullopt;
  return TextFault{static_cast<std::size_t>(wrong - text.data()),
                   fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(*wrong))};
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

std::string one_line(std::string_view text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::string line;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const char* const wrong = utf8::find_invalid(at, end);
    while (at != wrong) {
      const char* const begin = at;
      const bool control = is_control(utf8::unchecked::next(at));
      line += control ? replacement : std::string_view(begin, static_cast<std::size_t>(at - begin));
    }
    if (at == end) break;
    line += replacement;
    ++at;
  }
  return line;
}

}  // namespace regroup
