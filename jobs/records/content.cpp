// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/content.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace regroup {

namespace content {

Content one_of(std::vector<std::string> words) {
  return {Content::Type::choice, false, std::move(words)};
}

Content maybe(Content content) {
  content.may_be_empty = true;
  return content;
}

}  // namespace content

Content content_of(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionSpec::Type::integer:
      return content::integer;
    case OptionSpec::Type::real:
      return content::number;
    case OptionSpec::Type::choice:
      return content::one_of({spec.words.begin(), spec.words.end()});
    case OptionSpec::Type::file:
    case OptionSpec::Type::groups:
      break;
  }
  return content::text;
}

Content either(const Content& one, const Content& other) {
  using enum Content::Type;
  Content both = one;
  both.may_be_empty = one.may_be_empty || other.may_be_empty;
  for (const std::string& next : other.words) {
    if (std::ranges::find(both.words, next) == both.words.end()) both.words.push_back(next);
  }
  if (one.type == other.type) return both;
  const auto counts = [](const Content& c) { return c.type == integer || c.type == number; };
  return {counts(one) && counts(other) ? number : text, both.may_be_empty};
}

std::string_view name(Content::Type type) {
  constexpr std::array<std::string_view, 6> names{"integer", "number", "text",
                                                  "choice",  "yes/no", "time"};
  return names.at(static_cast<std::size_t>(type));
}

std::string_view unit_of(std::string_view column) {
  // The longer ones first.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> units{{{"_mb_s", "MB/s"},
                                                                                {"_bytes", "byte"},
                                                                                {"_mb", "MB"},
                                                                                {"_us", "µs"},
                                                                                {"_ms", "ms"},
                                                                                {"_s", "s"}}};
  for (const auto& [ending, unit] : units) {
    if (column.ends_with(ending)) return unit;
  }
  return {};
}

}  // namespace regroup
