// SPDX-License-Identifier: BSD-3-Clause
//
// The only file that includes yaml-cpp. Its parser reports single events, so the limits are
// enforced before a tree is built.
#include "kernel/files/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace regroup {
namespace {

constexpr std::string_view allowed_controls = "\t\n\r";

int line_at(std::string_view text, std::size_t at) {
  return static_cast<int>(std::ranges::count(text.substr(0, at), '\n')) + 1;
}

/// Builds the trees of documents from the events of yaml-cpp.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& path, const YamlLimits& limits)
      : text_(text), path_(path), limits_(limits) {}

  std::vector<ConfigNode> take_documents() { return std::move(documents_); }

  [[noreturn]] void fail(int line, const std::string& problem) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line, problem));
  }

  /// yaml-cpp does not consume a character that cannot begin a document, such as ',', and would
  /// return empty documents forever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!documents_.empty() && mark.pos <= document_begin_) {
      fail(line_of(mark), "not YAML: a character that cannot begin a value");
    }
    document_begin_ = mark.pos;
    anchored_.clear();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add_scalar(line_of_null(mark), anchor, {});
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    add_scalar(line_of(mark), anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::list, line_of(mark), anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::map, line_of(mark), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  /// Adds a copy of the node with this anchor. A node gets its anchor at its end, so it cannot
  /// contain itself.
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) fail(line_of(mark), "not YAML: an alias inside its own anchor");
    count(found->second, level(), line_of(mark));
    add(found->second);
  }

 private:
  /// A list or map whose end has not been reached.
  struct Open {
    ConfigNode node;
    YAML::anchor_t anchor;
    std::optional<ConfigNode> key;  ///< last key of a map, until its value is added
  };

  static int line_of(const YAML::Mark& mark) { return mark.line + 1; }
  int level() const { return static_cast<int>(open_.size()) + 1; }

  /// The mark of an omitted value is that of the next token, which may be several lines below.
  int line_of_null(const YAML::Mark& mark) const {
    const auto at = std::min(static_cast<std::size_t>(mark.pos), text_.size());
    const std::string_view next = text_.substr(at);
    const auto begins = [&](std::string_view word) { return next.starts_with(word); };
    if (begins("~") || begins("null") || begins("Null") || begins("NULL")) return line_of(mark);
    std::string_view before = text_.substr(0, at);
    while (true) {  // back to the last line that is neither empty nor a comment
      const auto last = before.find_last_not_of(" \t\r\n");
      if (last == before.npos) return line_of(mark);
      const auto end_of_line_before = before.rfind('\n', last);
      const auto begin = end_of_line_before == before.npos ? 0 : end_of_line_before + 1;
      if (before[before.find_first_not_of(" \t", begin)] != '#') return line_at(text_, last);
      before = before.substr(0, begin);
    }
  }

  void add_scalar(int line, YAML::anchor_t anchor, const std::string& text) {
    ConfigNode node{.line = line, .text = text, .items = {}, .pairs = {}};
    count(node, level(), line);
    if (anchor != YAML::NullAnchor) anchored_[anchor] = node;
    add(std::move(node));
  }

  void open(ConfigNode::Kind kind, int line, YAML::anchor_t anchor) {
    ConfigNode node{.kind = kind, .line = line, .text = {}, .items = {}, .pairs = {}};
    count(node, level(), line);
    open_.push_back({std::move(node), anchor, {}});
  }

  void close() {
    Open ended = std::move(open_.back());
    open_.pop_back();
    if (ended.anchor != YAML::NullAnchor) anchored_[ended.anchor] = ended.node;
    add(std::move(ended.node));
  }

  void add(ConfigNode node) {
    if (open_.empty()) {
      documents_.push_back(std::move(node));
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == ConfigNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.key) {
      parent.node.pairs.push_back({std::move(*parent.key), std::move(node)});
      parent.key.reset();
    } else {
      parent.key = std::move(node);
    }
  }

  /// Counts a node on level `level` and all nodes in it. Must be called before they are stored.
  void count(const ConfigNode& node, int level, int line) {
    bytes_ += node.text.size();
    constexpr std::string_view all = "with aliases replaced by their values";
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
  std::vector<ConfigNode> documents_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, ConfigNode> anchored_;
  int document_begin_ = 0;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::vector<ConfigNode> parse_yaml(std::string_view text, const std::string& path,
                                   const YamlLimits& limits) {
  TreeBuilder builder(text, path, limits);
  if (const auto fault = fault_in(text, allowed_controls)) {
    builder.fail(line_at(text, fault->at), fmt::format("not YAML: {}", fault->what));
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.fail(error.mark.line + 1, fmt::format("not YAML: {}", error.msg));
  }
  return builder.take_documents();
}

std::string plain_text(std::string text, const std::string& path) {
  text.erase(0, text.size() - without_byte_order_mark(text).size());
  if (const auto fault = fault_in(text, allowed_controls)) {
    throw UserError(fmt::format("{}:{}: {}; give plain text in UTF-8", path,
                                line_at(text, fault->at), fault->what));
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
