// SPDX-License-Identifier: BSD-3-Clause
//
//   communicators:
//     - name: RED
//       members: [pd-01, pd-02, {processor: pd-03, key: 2}, 4-7]
//       communicators: [{name: PINK, members: [pd-02]}]
//     - intercommunicator: BRIDGE
//       first: {name: RED, color: 1}
//       second: BLACK
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "communicators/named/definitions.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"
#include "regroup/named.hpp"

namespace regroup {
namespace {

class Reader {
 public:
  explicit Reader(Definitions& definitions) : definitions_(definitions) {}

  void read(const std::string& text) {
    YamlLimits limits = YamlLimits::of_text(text);
    limits.levels = 2 * Definitions::most_levels + 4;
    const auto documents = parse_yaml(text, definitions_.path(), limits);
    if (documents.size() > 1) fail(documents[1], "a second YAML document begins");
    if (documents.empty()) fail(ConfigNode(), "no communicators");
    read(documents[0]);
  }

  void read(const ConfigNode& root) {
    check_keys(root, {"communicators"});
    const ConfigNode* list = value(root, "communicators");
    if (list == nullptr) fail(root, "the key 'communicators' is missing");
    read_list(*list, -1);
  }

 private:
  [[noreturn]] void fail(const ConfigNode& node, const std::string& what) const {
    definitions_.fail(node.line, what);
  }

  /// Checks that `node` is a map with only `allowed` keys, each at most once.
  void check_keys(const ConfigNode& node, std::initializer_list<std::string_view> allowed) const {
    if (node.kind != ConfigNode::Kind::map) {
      fail(node, fmt::format("give a map with the keys {}", fmt::join(allowed, ", ")));
    }
    for (auto pair = node.pairs.begin(); pair != node.pairs.end(); ++pair) {
      const ConfigNode& key = pair->first;
      if (std::ranges::find(allowed, key.text) == allowed.end()) {
        fail(key, fmt::format("unknown key '{}': {}", key.text, fmt::join(allowed, ", ")));
      }
      const auto same = [&](const ConfigPair& other) { return other.first.text == key.text; };
      if (std::any_of(node.pairs.begin(), pair, same)) {
        fail(key, fmt::format("the key '{}' a second time", key.text));
      }
    }
  }

  static const ConfigNode* value(const ConfigNode& map, std::string_view key) {
    for (const auto& [name, value] : map.pairs) {
      if (name.text == key) return &value;
    }
    return nullptr;
  }

  const std::string& text_of(const ConfigNode& node, std::string_view key) const {
    if (node.kind != ConfigNode::Kind::scalar || node.text.empty()) {
      fail(node, fmt::format("'{}': give one word", key));
    }
    return node.text;
  }

  int number_of(const ConfigNode& node, std::string_view key, int least) const {
    const auto number = parse<int>(text_of(node, key));
    if (!number || *number < least) fail(node, fmt::format("'{}': '{}' is none", key, node.text));
    return *number;
  }

  const std::vector<ConfigNode>& items_of(const ConfigNode& list, std::string_view key) const {
    if (list.kind != ConfigNode::Kind::list) fail(list, fmt::format("'{}': give a list", key));
    return list.items;
  }

  void read_list(const ConfigNode& list, int parent) {
    for (const ConfigNode& item : items_of(list, "communicators")) {
      value(item, "intercommunicator") != nullptr ? read_intercommunicator(item, parent)
                                                  : read_communicator(item, parent);
    }
  }

  void read_communicator(const ConfigNode& node, int parent) {
    check_keys(node, {"name", "members", "communicators"});
    const ConfigNode* name = value(node, "name");
    const ConfigNode* members = value(node, "members");
    if (name == nullptr) fail(node, "the key 'name' is missing");
    if (members == nullptr) fail(node, "the key 'members' is missing");
    DefinedCommunicator communicator{.name = text_of(*name, "name"), .parent = parent};
    communicator.line = name->line;
    for (const ConfigNode& item : items_of(*members, "members")) {
      communicator.members.push_back(members_of(item));
    }
    const int place = definitions_.add(std::move(communicator));
    if (const ConfigNode* inner = value(node, "communicators")) read_list(*inner, place);
  }

  DefinedMembers members_of(const ConfigNode& node) const {
    if (node.kind == ConfigNode::Kind::scalar) {
      return members_from(text_of(node, "members"), node.line, definitions_);
    }
    check_keys(node, {"ranks", "processor", "key"});
    const ConfigNode* ranks = value(node, "ranks");
    const ConfigNode* processor = value(node, "processor");
    if ((ranks == nullptr) == (processor == nullptr)) fail(node, "give 'ranks' or 'processor'");
    DefinedMembers members =
        ranks != nullptr
            ? ranks_from(text_of(*ranks, "ranks"), node.line, definitions_)
            : processors_from(text_of(*processor, "processor"), node.line, definitions_);
    if (const ConfigNode* key = value(node, "key")) members.key = number_of(*key, "key", 0);
    return members;
  }

  void read_intercommunicator(const ConfigNode& node, int parent) {
    check_keys(node, {"intercommunicator", "first", "second"});
    const ConfigNode& name = *value(node, "intercommunicator");
    definitions_.add(DefinedIntercommunicator{.name = text_of(name, "intercommunicator"),
                                              .parent = parent,
                                              .first = side_of(node, "first"),
                                              .second = side_of(node, "second"),
                                              .line = name.line});
  }

  DefinedSide side_of(const ConfigNode& node, std::string_view key) const {
    const ConfigNode* side = value(node, key);
    if (side == nullptr) fail(node, fmt::format("the key '{}' is missing", key));
    if (side->kind == ConfigNode::Kind::scalar) {
      return {.name = text_of(*side, key), .line = side->line};
    }
    check_keys(*side, {"name", "color"});
    const ConfigNode* name = value(*side, "name");
    if (name == nullptr) fail(*side, "the key 'name' is missing");
    DefinedSide result{.name = text_of(*name, "name"), .line = side->line};
    if (const ConfigNode* color = value(*side, "color")) {
      result.color = number_of(*color, "color", 0);
    }
    return result;
  }

  Definitions& definitions_;
};

}  // namespace

void read_yaml(const std::string& text, Definitions& definitions) {
  Reader(definitions).read(text);
}

void read_yaml(const ConfigNode& content, Definitions& definitions) {
  Reader(definitions).read(content);
}

}  // namespace regroup
