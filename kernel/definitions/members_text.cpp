// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/definitions/members_text.hpp"

#include <fmt/format.h>

#include <optional>

#include "kernel/definitions/pattern.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view of_patterns = R"([](){}*+?|^$\)";

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::optional<int> rank_from(std::string_view text) {
  if (!has_only(text, digits)) return std::nullopt;
  return parse<int>(text);
}

std::optional<RankRange> range_from(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto lo = rank_from(text.substr(0, dash));
  const auto hi = dash == std::string_view::npos ? lo : rank_from(text.substr(dash + 1));
  if (!lo || !hi || *hi < *lo) return std::nullopt;
  return RankRange{*lo, *hi};
}

}  // namespace

DefinedMembers ranks_from(std::string_view text, int line, const Definitions& definitions) {
  const auto range = range_from(text);
  if (!range) definitions.fail(line, fmt::format("'{}' are no ranks: 3, or 4-7", text));
  return {.ranks = *range, .line = line};
}

DefinedMembers processors_from(std::string_view text, int line, const Definitions& definitions) {
  DefinedMembers members{.kind = DefinedMembers::Kind::processor, .line = line};
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    if (const auto which = rank_from(text.substr(colon + 1))) {
      members.which = *which;
      text = text.substr(0, colon);
    }
  }
  if (text.empty()) definitions.fail(line, "a processor without a name");
  members.text = text;
  if (text.find_first_of(of_patterns) != std::string_view::npos) {
    members.kind = DefinedMembers::Kind::pattern;
    if (const std::string wrong = Pattern(members.text).complaint(); !wrong.empty()) {
      definitions.fail(line, fmt::format("'{}' is no regular expression: {}", text, wrong));
    }
  }
  return members;
}

DefinedMembers members_from(std::string_view text, int line, const Definitions& definitions) {
  return has_only(text, "0123456789-") ? ranks_from(text, line, definitions)
                                       : processors_from(text, line, definitions);
}

}  // namespace regroup
