// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/definitions/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "kernel/files/user_error.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/hash.hpp"

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
  fail(line, fmt::format("'{}' is no name that a program can have: letters, digits and _, and no "
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

/// The communicator that `side` names.
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

}  // namespace regroup
