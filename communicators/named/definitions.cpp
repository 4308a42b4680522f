// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/named/definitions.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/places/host_list.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr std::string_view what = "a file of communicators, XML or YAML";

bool is_identifier(const std::string& name) {
  const auto in_word = [](unsigned char c) {
    return c == '_' || (c < 128 && std::isalnum(c) != 0);
  };
  return !name.empty() && std::ranges::all_of(name, in_word) &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

}  // namespace

Definitions Definitions::read(const std::string& path) {
  return parse(read_plain_text(path, most_bytes, what), path);
}

Definitions Definitions::parse(const std::string& text, const std::string& path) {
  Definitions definitions(path, hash_number(text));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) definitions.fail(1, fmt::format("empty; give {}", what));
  text[first] == '<' ? read_xml(text, definitions) : read_yaml(text, definitions);
  definitions.join();
  return definitions;
}

Definitions Definitions::of(const ConfigNode& content, const std::string& path) {
  Definitions definitions(path, 0);
  read_yaml(content, definitions);
  definitions.join();
  return definitions;
}

void Definitions::join() {
  for (auto& joins : intercommunicators_) {
    joins.first.communicator = joined(joins, joins.first);
    joins.second.communicator = joined(joins, joins.second);
    if (joins.first.communicator == joins.second.communicator) {
      fail(joins.line, fmt::format("{} joins {} to itself", joins.name, joins.first.name));
    }
  }
}

void Definitions::fail(int line, const std::string& message) const {
  throw UserError(fmt::format("{}:{}: {}", path_, line, message));
}

const std::vector<int>& Definitions::named(std::string_view name) const {
  static const std::vector<int> none;
  const auto found = places_.find(name);
  return found == places_.end() ? none : found->second;
}

const DefinedIntercommunicator* Definitions::intercommunicator(std::string_view name) const {
  const auto found = std::ranges::find(intercommunicators_, name, &DefinedIntercommunicator::name);
  return found == intercommunicators_.end() ? nullptr : &*found;
}

bool Definitions::name_processors() const {
  return std::ranges::any_of(communicators_, [](const DefinedCommunicator& communicator) {
    return std::ranges::any_of(communicator.members, [](const DefinedMembers& members) {
      return members.kind != DefinedMembers::Kind::ranks;
    });
  });
}

void Definitions::check_name(const std::string& name, int line) const {
  if (is_identifier(name)) return;
  fail(line, fmt::format("'{}' is not a valid name: letters, digits and _, and no "
                         "digit first",
                         name));
}

int Definitions::add(DefinedCommunicator communicator) {
  check_name(communicator.name, communicator.line);
  if (communicator.members.empty()) {
    fail(communicator.line, fmt::format("{} has no members", communicator.name));
  }
  if (intercommunicator(communicator.name) != nullptr) {
    fail(communicator.line,
         fmt::format("{} is the name of an intercommunicator already", communicator.name));
  }
  std::vector<int>& equal = places_[communicator.name];
  communicator.color = static_cast<int>(equal.size());
  const int place = static_cast<int>(communicators_.size());
  equal.push_back(place);
  communicators_.push_back(std::move(communicator));
  return place;
}

void Definitions::add(DefinedIntercommunicator intercommunicator) {
  const std::string& name = intercommunicator.name;
  check_name(name, intercommunicator.line);
  if (!named(name).empty() || this->intercommunicator(name) != nullptr) {
    fail(intercommunicator.line, fmt::format("{} is the name of another one already", name));
  }
  intercommunicators_.push_back(std::move(intercommunicator));
}

/// Returns the index of the communicator that `side` names. Throws UserError if it is invalid.
int Definitions::joined(const DefinedIntercommunicator& joins, const DefinedSide& side) const {
  const std::vector<int>& equal = named(side.name);
  if (equal.empty() && intercommunicator(side.name) != nullptr) {
    fail(side.line,
         fmt::format("{} joins {}, which is an intercommunicator", joins.name, side.name));
  }
  if (equal.empty()) fail(side.line, fmt::format("there is no communicator {}", side.name));
  if (side.color < 0 && equal.size() > 1) {
    fail(side.line, fmt::format("there are {} of the name {}: give a color, 0 to {}", equal.size(),
                                side.name, equal.size() - 1));
  }
  const auto color = static_cast<std::size_t>(std::max(side.color, 0));
  if (color >= equal.size()) {
    fail(side.line, fmt::format("there is no {} of color {}: 0 to {}", side.name, side.color,
                                equal.size() - 1));
  }
  const int place = equal[color];
  if (communicators_[static_cast<std::size_t>(place)].parent != joins.parent) {
    fail(side.line, fmt::format("{} joins {}, which has another parent", joins.name, side.name));
  }
  return place;
}

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view of_patterns = R"([](){}*+?|^$\)";

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// Whether the only special characters in `text` are brackets around ranges or lists of numbers:
/// "node[1-12]", but not "node[12]", which is a regular expression for two characters.
bool has_ranges(std::string_view text) {
  bool found = false;
  for (std::size_t begin = 0; (begin = text.find_first_of(of_patterns)) != text.npos;) {
    const std::size_t end = text.find(']', begin);
    if (text[begin] != '[' || end == text.npos) return false;
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    if (!has_only(inside, "0123456789,-")) return false;
    const bool several = inside.find_first_of(",-") != inside.npos;
    if (!several && inside.size() > 1) return false;
    found |= several;
    text.remove_prefix(end + 1);
  }
  return found;
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
  if (!range)
    definitions.fail(line, fmt::format("'{}' are not ranks; allowed: as in 3, or 4-7", text));
  return {.ranks = *range, .line = line};
}

DefinedMembers processors_from(std::string_view text, int line, const Definitions& definitions) {
  DefinedMembers members{.kind = DefinedMembers::Kind::processor, .line = line};
  if (const std::size_t colon = text.rfind(':'); colon != text.npos && !is_ipv6(text)) {
    if (const auto which = rank_from(text.substr(colon + 1))) {
      members.which = *which;
      text = text.substr(0, colon);
    }
  }
  if (text.empty()) definitions.fail(line, "a processor without a name");
  if (text.starts_with('[') && text.ends_with(']') && is_ipv6(text.substr(1, text.size() - 2))) {
    text = text.substr(1, text.size() - 2);
  }
  members.text = text;
  if (has_ranges(text)) {
    members.kind = DefinedMembers::Kind::hosts;
    try {
      host_names(text);
    } catch (const std::invalid_argument& error) {
      definitions.fail(line, error.what());
    }
  } else if (text.find_first_of(of_patterns) != std::string_view::npos) {
    members.kind = DefinedMembers::Kind::pattern;
    if (const std::string wrong = Pattern(members.text).complaint(); !wrong.empty()) {
      definitions.fail(line, fmt::format("'{}' is not a regular expression: {}", text, wrong));
    }
  }
  return members;
}

DefinedMembers members_from(std::string_view text, int line, const Definitions& definitions) {
  return has_only(text, "0123456789-") ? ranks_from(text, line, definitions)
                                       : processors_from(text, line, definitions);
}

namespace {

// No other file includes RE2.

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  return options;
}

}  // namespace

Pattern::Pattern(const std::string& expression)
    : expression_(std::make_unique<RE2>(expression, options())) {}
Pattern::~Pattern() = default;

std::string Pattern::complaint() const {
  return expression_->ok() ? std::string() : expression_->error();
}

bool Pattern::matches(const std::string& name) const { return RE2::FullMatch(name, *expression_); }

}  // namespace regroup
