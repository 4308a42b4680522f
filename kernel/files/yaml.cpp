// SPDX-License-Identifier: BSD-3-Clause
//
// The one file that includes libyaml. Its parser neither recurses nor builds a tree: it tells of
// one node after the other, and what they come to is limited here.
#include "kernel/files/yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <new>

#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

/// Something that libyaml told.
struct Event : yaml_event_t {
  Event() : yaml_event_t{} {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(this); }

  int line() const { return static_cast<int>(start_mark.line) + 1; }
};

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

/// A scalar's text. A word that stands for no value comes to none.
std::string text_of(const Event& event) {
  const auto& scalar = event.data.scalar;
  std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
  constexpr std::array nothing{"~", "null", "Null", "NULL"};
  const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return plain && std::ranges::find(nothing, text) != nothing.end() ? std::string() : text;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& path, const YamlLimits& limits)
      : text_(text), path_(path), limits_(limits) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text_.data()),
                                 text_.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&parser_); }

  /// The root of every document.
  std::vector<ConfigNode> documents() {
    std::vector<ConfigNode> roots;
    Event event;
    next(event);  // the stream begins
    for (next(event); event.type != YAML_STREAM_END_EVENT; next(event)) {
      next(event);  // after the document's beginning
      anchored_.clear();
      roots.push_back(node(event, 1));
      next(event);  // the document ends
    }
    return roots;
  }

 private:
  void next(Event& event) {
    yaml_event_delete(&event);
    if (yaml_parser_parse(&parser_, &event) != 0) return;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const char* problem = parser_.problem == nullptr ? "" : parser_.problem;
    // Where bytes are no characters, only their place in the file is known.
    const auto line = parser_.error == YAML_READER_ERROR
                          ? std::count(text_.begin(),
                                       text_.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           parser_.problem_offset, text_.size())),
                                       '\n')
                          : static_cast<std::ptrdiff_t>(parser_.problem_mark.line);
    fail(static_cast<int>(line) + 1, fmt::format("no YAML: {}", problem));
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line, what));
  }

  /// The node that begins with `event`, on that level.
  ConfigNode node(const Event& event, int level) {
    if (event.type == YAML_ALIAS_EVENT) return alias(event, level);
    ConfigNode result;
    result.line = event.line();
    std::string anchor;
    if (event.type == YAML_SCALAR_EVENT) {
      anchor = text_of(event.data.scalar.anchor);
      result.text = text_of(event);
      count(result, level, result.line);
    } else if (event.type == YAML_SEQUENCE_START_EVENT) {
      anchor = text_of(event.data.sequence_start.anchor);
      result.kind = ConfigNode::Kind::list;
      count(result, level, result.line);
      Event item;
      for (next(item); item.type != YAML_SEQUENCE_END_EVENT; next(item)) {
        result.items.push_back(node(item, level + 1));
      }
    } else {
      anchor = text_of(event.data.mapping_start.anchor);
      result.kind = ConfigNode::Kind::map;
      count(result, level, result.line);
      Event item;
      for (next(item); item.type != YAML_MAPPING_END_EVENT; next(item)) {
        ConfigNode key = node(item, level + 1);
        next(item);
        result.pairs.push_back({std::move(key), node(item, level + 1)});
      }
    }
    if (!anchor.empty()) anchored_[anchor] = result;
    return result;
  }

  /// A copy of what has the anchor. It was read to its end, so it does not hold the alias.
  ConfigNode alias(const Event& event, int level) {
    const std::string name = text_of(event.data.alias.anchor);
    const auto found = anchored_.find(name);
    if (found == anchored_.end()) {
      fail(event.line(), fmt::format("no YAML: no anchor '{}' ends before this alias", name));
    }
    count(found->second, level, event.line());
    return found->second;
  }

  /// Counts a node on that level with all in it, before anything is made of it.
  void count(const ConfigNode& node, int level, int line) {
    bytes_ += node.text.size();
    constexpr std::string_view all = "what aliases stand for included";
    if (++nodes_ > limits_.nodes) {
      fail(line, fmt::format("more than {} values, {}", limits_.nodes, all));
    }
    if (bytes_ > limits_.bytes) {
      fail(line, fmt::format("more than {} bytes of text, {}", limits_.bytes, all));
    }
    if (level > limits_.levels) {
      fail(line, fmt::format("nested in more than {} levels", limits_.levels));
    }
    for (const ConfigNode& item : node.items) count(item, level + 1, line);
    for (const auto& [key, value] : node.pairs) {
      count(key, level + 1, line);
      count(value, level + 1, line);
    }
  }

  const std::string_view text_;
  const std::string& path_;
  const YamlLimits limits_;
  yaml_parser_t parser_{};
  std::map<std::string, ConfigNode> anchored_;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::vector<ConfigNode> parse_yaml(std::string_view text, const std::string& path,
                                   const YamlLimits& limits) {
  return Parser(text, path, limits).documents();
}

std::string plain_text(std::string text, const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (const auto fault = fault_in(text, "\t\n\r")) {
    const auto line = std::ranges::count(std::string_view(text).substr(0, fault->at), '\n') + 1;
    throw UserError(fmt::format("{}:{}: {}; give plain text in UTF-8", path, line, fault->what));
  }
  return text;
}

std::string read_plain_text(const std::string& path, std::size_t most_bytes,
                            std::string_view what) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) {
    throw UserError(fmt::format("{}: cannot be read; give the path of {}", path, what));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_bytes) {
    throw UserError(
        fmt::format("{}: larger than {} MB; {} is smaller", path, most_bytes / 1'000'000, what));
  }
  return plain_text(std::move(text), path);
}

}  // namespace regroup
