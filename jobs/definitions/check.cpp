// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "jobs/definitions/hosts.hpp"
#include "jobs/words/text_table.hpp"
#include "kernel/definitions/defined_groups.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

/// The members in their order: "3 0-2".
std::string text_of(const Members& members) {
  std::string text;
  for (int place = 0; place < members.size();) {
    int end = place + 1;
    while (end < members.size() && members[end] == members[end - 1] + 1) ++end;
    const int first = members[place];
    const int last = members[end - 1];
    if (!text.empty()) text += ' ';
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    place = end;
  }
  return text;
}

class Tree {
 public:
  explicit Tree(const AskedDefinitions& asked)
      : definitions_(Definitions::read(asked.file)),
        processors_(asked.hosts.empty() ? std::vector<std::string>()
                                        : processors_of(asked.hosts, asked.ranks)),
        ranks_(asked.hosts.empty() ? asked.ranks : static_cast<int>(processors_.size())),
        groups_(definitions_, ranks_, processors_) {}

  std::string table() const {
    std::vector<Cells> rows{{"communicator", "size", "ranks"}};
    if (!processors_.empty()) rows[0].push_back("on");
    for (int place = 0; place < count(); ++place) rows.push_back(row(place));
    std::string text = text_table(rows, {0, 2, 3});
    for (const DefinedIntercommunicator& joins : definitions_.intercommunicators()) {
      text += fmt::format("{}: between {} and {}\n", joins.name, name_of(joins.first.communicator),
                          name_of(joins.second.communicator));
    }
    return text + fmt::format("\n{} {}; {} of {} ranks {} in none\n", count(),
                              count() == 1 ? "communicator" : "communicators", outside(), ranks_,
                              outside() == 1 ? "is" : "are");
  }

  std::string json() const {
    nlohmann::json all = nlohmann::json::array();
    for (int place = 0; place < count(); ++place) {
      const DefinedCommunicator& communicator = at(place);
      std::vector<int> ranks;
      for (int i = 0; i < groups_.members(place).size(); ++i)
        ranks.push_back(groups_.members(place)[i]);
      all.push_back({{"name", communicator.name},
                     {"color", communicator.color},
                     {"parent", communicator.parent},
                     {"ranks", ranks}});
    }
    nlohmann::json joins = nlohmann::json::array();
    for (const DefinedIntercommunicator& one : definitions_.intercommunicators()) {
      joins.push_back({{"name", one.name},
                       {"first", one.first.communicator},
                       {"second", one.second.communicator}});
    }
    return nlohmann::json{{"schema", schema},
                          {"ranks", ranks_},
                          {"processors", processors_},
                          {"communicators", all},
                          {"intercommunicators", joins}}
               .dump(1) +
           "\n";
  }

 private:
  int count() const { return static_cast<int>(definitions_.communicators().size()); }
  const DefinedCommunicator& at(int place) const {
    return definitions_.communicators()[static_cast<std::size_t>(place)];
  }

  std::string name_of(int place) const {
    const std::string& name = at(place).name;
    return definitions_.named(name).size() > 1 ? fmt::format("{} ({})", name, at(place).color)
                                               : name;
  }

  Cells row(int place) const {
    const Members& members = groups_.members(place);
    int level = 0;
    for (int above = at(place).parent; above >= 0; above = at(above).parent) ++level;
    Cells cells{std::string(static_cast<std::size_t>(2 * level), ' ') + name_of(place),
                fmt::format("{}", members.size()), text_of(members)};
    if (!processors_.empty()) cells.push_back(processors_text(members));
    return cells;
  }

  /// Each once, in the order in which they come.
  std::string processors_text(const Members& members) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> named;
    for (int place = 0; place < members.size(); ++place) {
      const std::string& processor = processors_[static_cast<std::size_t>(members[place])];
      if (std::ranges::find(named, processor) != named.end()) continue;
      if (named.size() == most) return fmt::format("{}, …", fmt::join(named, ", "));
      named.push_back(processor);
    }
    return fmt::format("{}", fmt::join(named, ", "));
  }

  int outside() const {
    std::vector<bool> in(static_cast<std::size_t>(ranks_));
    for (int place = 0; place < count(); ++place) {
      const Members& members = groups_.members(place);
      for (int i = 0; i < members.size(); ++i) in[static_cast<std::size_t>(members[i])] = true;
    }
    return static_cast<int>(std::ranges::count(in, false));
  }

  const Definitions definitions_;
  const std::vector<std::string> processors_;
  const int ranks_;
  const DefinedGroups groups_;
};

}  // namespace

std::string groups_of_file(const AskedDefinitions& asked) {
  if (asked.hosts.empty() && asked.ranks == 0) {
    throw UserError("give --ranks, or --hosts where members are processors");
  }
  const Tree tree(asked);
  return asked.json ? tree.json() : tree.table();
}

}  // namespace regroup
