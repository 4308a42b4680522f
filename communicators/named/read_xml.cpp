// SPDX-License-Identifier: BSD-3-Clause
//
// No other file includes pugixml, which knows only the five predefined entities of XML and reads no
// external files. The elements are those of the paper, section 3.2, and <rank>:
//
//   <comm name="RED">
//     <processor>pd-01</processor> <processor key="2">pd-02</processor> <rank>4-7</rank>
//     <comm name="PINK"> <processor>pd-02</processor> </comm>
//   </comm>
//   <intercomm name="BRIDGE"> <first color="1">RED</first> <second>BLACK</second> </intercomm>
//
// They may be at the top level, as in the paper, or in one element <communicators>.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <pugixml.hpp>
#include <utility>

#include "communicators/named/definitions.hpp"
#include "kernel/numbers/parse.hpp"
#include "regroup/named.hpp"

namespace regroup {
namespace {

class Reader {
 public:
  Reader(const std::string& text, Definitions& definitions)
      : text_(text), definitions_(definitions) {}

  void read() {
    // The parser and the destructor of pugixml do not recurse.
    pugi::xml_document document;
    constexpr unsigned options =
        pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment | pugi::parse_trim_pcdata;
    const auto result =
        document.load_buffer(text_.data(), text_.size(), options, pugi::encoding_utf8);
    if (!result) fail(result.offset, fmt::format("no XML: {}", result.description()));
    const pugi::xml_node root = document.child("communicators");
    check_children(document, {"comm", "intercomm", "communicators"});
    if (root && (root.next_sibling() || root.previous_sibling())) {
      fail(root, "something stands beside <communicators>");
    }
    read_list(root ? root : document, -1, 1);
    if (definitions_.communicators().empty()) definitions_.fail(1, "no communicators");
  }

 private:
  [[noreturn]] void fail(std::ptrdiff_t offset, const std::string& what) const {
    definitions_.fail(line_at(offset), what);
  }
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& what) const {
    fail(node.offset_debug(), what);
  }

  /// Returns the line at `offset`. Counts each line only once if the offsets ascend.
  int line_at(std::ptrdiff_t offset) const {
    if (offset < counted_) counted_ = 0, lines_ = 0;
    const auto begin = text_.begin() + counted_;
    const auto end = text_.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(text_));
    lines_ += static_cast<int>(std::count(begin, end, '\n'));
    counted_ = end - text_.begin();
    return lines_ + 1;
  }
  int line_of(const pugi::xml_node& node) const { return line_at(node.offset_debug()); }

  void check_children(const pugi::xml_node& node,
                      std::initializer_list<std::string_view> allowed) const {
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_doctype) {
        fail(child, "a document type, of which nothing is needed: entities are not read");
      }
      if (child.type() != pugi::node_element ||
          std::ranges::find(allowed, std::string_view(child.name())) == allowed.end()) {
        const bool text = child.type() != pugi::node_element;
        fail(child, fmt::format("{} '{}': <{}>", text ? "unexpected text" : "unknown element",
                                text ? child.value() : child.name(), fmt::join(allowed, ">, <")));
      }
    }
  }

  void check_attributes(const pugi::xml_node& node,
                        std::initializer_list<std::string_view> allowed) const {
    for (auto attribute = node.attributes_begin(); attribute != node.attributes_end();
         ++attribute) {
      const std::string_view name = attribute->name();
      if (std::ranges::find(allowed, name) == allowed.end()) {
        fail(node, fmt::format(
                       "unknown attribute '{}': <{}> has {}", name, node.name(),
                       allowed.size() == 0 ? "none" : fmt::format("{}", fmt::join(allowed, ", "))));
      }
      for (auto before = node.attributes_begin(); before != attribute; ++before) {
        if (before->name() == name) fail(node, fmt::format("'{}' a second time", name));
      }
    }
  }

  int number_of(const pugi::xml_node& node, const char* attribute, int without) const {
    const pugi::xml_attribute given = node.attribute(attribute);
    if (!given) return without;
    const auto number = parse<int>(given.value());
    if (!number || *number < 0)
      fail(node, fmt::format("{}: '{}' is none", attribute, given.value()));
    return *number;
  }

  std::string text_of(const pugi::xml_node& node) const {
    const pugi::xml_node text = node.first_child();
    if (text.type() != pugi::node_pcdata || text.next_sibling()) {
      fail(node, fmt::format("<{}> holds one word", node.name()));
    }
    return text.value();
  }

  std::string name_of(const pugi::xml_node& node) const {
    const pugi::xml_attribute name = node.attribute("name");
    if (!name) fail(node, fmt::format("<{}> has no attribute name", node.name()));
    return name.value();
  }

  void read_list(const pugi::xml_node& list, int parent, int level) {
    if (level > Definitions::most_levels) {
      fail(list, fmt::format("nested in more than {} levels", Definitions::most_levels));
    }
    for (const pugi::xml_node& child : list.children()) {
      const std::string_view name = child.name();
      if (name == "comm") read_communicator(child, parent, level);
      if (name == "intercomm") read_intercommunicator(child, parent);
    }
  }

  void read_communicator(const pugi::xml_node& node, int parent, int level) {
    check_attributes(node, {"name"});
    check_children(node, {"processor", "rank", "comm", "intercomm"});
    DefinedCommunicator communicator{.name = name_of(node), .parent = parent};
    communicator.line = line_of(node);
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = child.name();
      if (name != "processor" && name != "rank") continue;
      check_attributes(child, {"key"});
      const auto from = name == "rank" ? ranks_from : processors_from;
      DefinedMembers members = from(text_of(child), line_of(child), definitions_);
      members.key = number_of(child, "key", 0);
      communicator.members.push_back(std::move(members));
    }
    const int place = definitions_.add(std::move(communicator));
    read_list(node, place, level + 1);
  }

  void read_intercommunicator(const pugi::xml_node& node, int parent) {
    check_attributes(node, {"name"});
    check_children(node, {"first", "second"});
    const int line = line_of(node);
    definitions_.add(DefinedIntercommunicator{.name = name_of(node),
                                              .parent = parent,
                                              .first = side_of(node, "first"),
                                              .second = side_of(node, "second"),
                                              .line = line});
  }

  DefinedSide side_of(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_node side = node.child(name);
    if (!side) fail(node, fmt::format("<intercomm> has no <{}>", name));
    if (side.next_sibling(name)) fail(side, fmt::format("<{}> a second time", name));
    check_attributes(side, {"color"});
    return {.name = text_of(side), .color = number_of(side, "color", -1), .line = line_of(side)};
  }

  const std::string& text_;
  Definitions& definitions_;
  mutable std::ptrdiff_t counted_ = 0;  // bytes whose lines have been counted in lines_
  mutable int lines_ = 0;
};

}  // namespace

void read_xml(const std::string& text, Definitions& definitions) {
  Reader(text, definitions).read();
}

}  // namespace regroup
