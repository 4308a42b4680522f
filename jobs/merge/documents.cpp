// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/merge/documents.hpp"

#include <fmt/format.h>

#include <limits>

#include "jobs/configuration/source.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

constexpr std::string_view beginning = "---\n";

std::string head(int invocation) {
  return fmt::format("{}invocation: {}\n", beginning, invocation);
}

/// The texts of the documents: no other line is "---", since values are JSON.
std::vector<std::string> texts_in(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find("\n---\n", begin);
    const std::size_t next = end == all.npos ? all.size() : end + 1;
    texts.push_back(all.substr(begin, next - begin));
    begin = next;
  }
  return texts;
}

}  // namespace

std::string Document::text(int number) const { return head(number) + rest; }

std::vector<Document> read_documents(const std::string& directory) {
  const std::string path = directory + "/provenance.yaml";
  const auto all = read_file(path);
  if (!all)
    throw UserError(
        fmt::format("{}: there is none, and so nobody knows whose rows these are", path));
  const auto known = circumstances_in(*all, path);
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  const std::vector<ConfigNode> nodes = parse_yaml(*all, path, {most, most, 8});
  const std::vector<std::string> texts = texts_in(*all);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Document document;
    for (const auto& [key, value] : nodes[i].pairs) {
      if (key.text == "invocation") document.invocation = std::stoi(value.text);
      if (key.text == "configuration_file") document.configuration_file = value.text;
      if (key.text == "configuration") document.configuration = value.text;
      if (key.text == "configuration_hash") document.configuration_hash = value.text;
    }
    const std::string first = head(document.invocation);
    if (texts.size() != nodes.size() || !texts[i].starts_with(first)) {
      throw UserError(
          fmt::format("{}:{}: this document is not as regroup writes it", path, nodes[i].line));
    }
    document.rest = texts[i].substr(first.size());
    document.circumstances = known.at(document.invocation);
    documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace regroup
