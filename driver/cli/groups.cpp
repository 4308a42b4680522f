// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup groups`: files that define communicators by name.
#include "regroup/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cli/commands.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "regroup/named.hpp"

namespace regroup {
namespace {

// ---- the processors of ranks

constexpr int most_ranks = 1 << 24;

struct Host {
  std::string name;
  int slots = 0;  ///< 0: not a number of slots
};

/// A line of a hostfile, or an element of a list: "pd-01", "pd-01:4" or "pd-01 slots=4".
Host host_in(const std::string& text) {
  std::istringstream words(text);
  std::string name, option;
  words >> name >> option;
  std::string slots = "1";
  if (constexpr std::string_view key = "slots="; !option.empty()) {
    slots = option.starts_with(key) ? option.substr(key.size()) : "";
  } else if (const auto colon = name.rfind(':'); colon != name.npos) {
    slots = name.substr(colon + 1);
    name.resize(colon);
  }
  return {name, parse<int>(slots).value_or(0)};
}

/// The processor of every rank, as a launcher fills hosts one after the other. `hosts`: a hostfile,
/// or a list with commas. `ranks`: how many of them; 0: as many as there are slots.
std::vector<std::string> processors_of(const std::string& hosts, int ranks) {
  const bool file = std::filesystem::is_regular_file(hosts);
  std::string text = file ? read_plain_text(hosts, 10'000'000, "a hostfile") : hosts;
  if (!file) std::ranges::replace(text, ',', '\n');
  std::vector<std::string> processors;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const auto [name, slots] = host_in(line);
    if (name.empty() || name.ends_with(':') || slots < 1 || slots > most_ranks) {
      throw UserError(fmt::format("{}: '{}' is no host; give NAME, NAME:SLOTS or NAME slots=SLOTS",
                                  file ? fmt::format("{}:{}", hosts, number) : "--hosts", line));
    }
    if (std::ssize(processors) + slots > most_ranks) {
      throw UserError(fmt::format("{}: more than {} slots", hosts, most_ranks));
    }
    processors.insert(processors.end(), static_cast<std::size_t>(slots), name);
  }
  if (processors.empty()) throw UserError(fmt::format("{}: no hosts", hosts));
  if (ranks > std::ssize(processors)) {
    throw UserError(
        fmt::format("{} ranks do not fit into the {} slots of {}; NAME:SLOTS gives a host several",
                    ranks, processors.size(), hosts));
  }
  if (ranks > 0) processors.resize(static_cast<std::size_t>(ranks));
  return processors;
}

// ---- groups check

std::vector<int> ranks_of(const Members& members) {
  std::vector<int> ranks;
  for (int i = 0; i < members.size(); ++i) ranks.push_back(members[i]);
  return ranks;
}

/// "3 0-2": ranks in their order.
std::string text_of(const std::vector<int>& ranks) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < ranks.size();) {
    std::size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    parts.push_back(end == begin + 1 ? fmt::format("{}", ranks[begin])
                                     : fmt::format("{}-{}", ranks[begin], ranks[end - 1]));
    begin = end;
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

/// The communicators that a file defines, with their members.
class Tree {
 public:
  explicit Tree(const GroupsCheckOptions& options)
      : definitions_(Definitions::read(options.file)),
        processors_(options.hosts.empty() ? std::vector<std::string>()
                                          : processors_of(options.hosts, options.ranks)),
        number_of_ranks_(processors_.empty() ? options.ranks
                                             : static_cast<int>(processors_.size())) {
    const DefinedGroups groups(definitions_, number_of_ranks_, processors_);
    for (int i = 0; i < std::ssize(communicators()); ++i) {
      ranks_.push_back(ranks_of(groups.members(i)));
    }
  }

  std::string table() const {
    std::vector<Cells> rows{{"communicator", "size", "ranks"}};
    if (!processors_.empty()) rows[0].push_back("on");
    std::vector<bool> covered(static_cast<std::size_t>(number_of_ranks_));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      rows.push_back(row(i));
      for (const int rank : ranks_[i]) covered[static_cast<std::size_t>(rank)] = true;
    }
    std::string text = text_table(rows, {0, 2, 3});
    for (const DefinedIntercommunicator& one : definitions_.intercommunicators()) {
      text += fmt::format("{}: between {} and {}\n", one.name, name_of(one.first.communicator),
                          name_of(one.second.communicator));
    }
    const auto outside = std::ranges::count(covered, false);
    return text + fmt::format("\n{}; {} of {} ranks {} in none\n",
                              counted(ranks_.size(), "communicator"), outside, number_of_ranks_,
                              outside == 1 ? "is" : "are");
  }

  std::string json() const {
    using Json = nlohmann::json;
    Json all = Json::array();
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const DefinedCommunicator& communicator = communicators()[i];
      all.push_back({{"name", communicator.name},
                     {"color", communicator.color},
                     {"parent", communicator.parent},
                     {"ranks", ranks_[i]}});
    }
    Json joins = Json::array();
    for (const DefinedIntercommunicator& one : definitions_.intercommunicators()) {
      joins.push_back({{"name", one.name},
                       {"first", one.first.communicator},
                       {"second", one.second.communicator}});
    }
    const Json document{{"schema", schema},
                        {"ranks", number_of_ranks_},
                        {"processors", processors_},
                        {"communicators", all},
                        {"intercommunicators", joins}};
    return document.dump(1) + "\n";
  }

 private:
  const std::vector<DefinedCommunicator>& communicators() const {
    return definitions_.communicators();
  }

  std::string name_of(int index) const {
    const auto& [name, color, parent, members, line] =
        communicators()[static_cast<std::size_t>(index)];
    return definitions_.named(name).size() > 1 ? fmt::format("{} ({})", name, color) : name;
  }

  Cells row(std::size_t index) const {
    std::string indent;
    int parent = communicators()[index].parent;
    for (; parent >= 0; parent = communicators()[static_cast<std::size_t>(parent)].parent) {
      indent += "  ";
    }
    const std::vector<int>& ranks = ranks_[index];
    Cells cells{indent + name_of(static_cast<int>(index)), std::to_string(ranks.size()),
                text_of(ranks)};
    if (!processors_.empty()) cells.push_back(processors_text(ranks));
    return cells;
  }

  /// The processors of some ranks, each once.
  std::string processors_text(const std::vector<int>& ranks) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> named;
    for (const int rank : ranks) {
      const std::string& processor = processors_[static_cast<std::size_t>(rank)];
      if (std::ranges::find(named, processor) != named.end()) continue;
      named.push_back(named.size() < most ? processor : "…");
      if (named.size() > most) break;
    }
    return fmt::format("{}", fmt::join(named, ", "));
  }

  Definitions definitions_;
  std::vector<std::string> processors_;
  int number_of_ranks_;
  std::vector<std::vector<int>> ranks_;  // of each communicator
};

// ---- groups make

std::vector<RankSet> groups_of_hosts(const GroupsMakeOptions& options) {
  const std::vector<std::string> processors = processors_of(options.hosts, options.ranks);
  std::vector<std::string> order;  // of hosts
  std::map<std::string, std::vector<RankRange>> ranks;
  for (int rank = 0; rank < std::ssize(processors); ++rank) {
    const std::string& processor = processors[static_cast<std::size_t>(rank)];
    if (!ranks.contains(processor)) order.push_back(processor);
    ranks[processor].push_back({rank, rank});
  }
  std::vector<RankSet> groups;
  for (const std::string& processor : order) groups.push_back(RankSet::of(ranks[processor]));
  return groups;
}

/// The groups at the end of a run, from the lowest rank on.
std::vector<RankSet> final_groups(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/events.csv";
  std::vector<RankSet> groups;
  std::string found = run;
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    if (row["end_event"] != "stop") continue;
    if (found.empty()) found = row["run"];
    if (row["run"] != found) {
      if (!run.empty()) continue;
      throw UserError(fmt::format("{}: there are several runs; name one, with --id: {}, {}, …",
                                  path, found, row["run"]));
    }
    const auto ranks = rank_set_of(row["group_ranks"]);
    if (!ranks) {
      throw UserError(fmt::format("{}:{}: no ranks: '{}'", path, row.line, row["group_ranks"]));
    }
    groups.push_back(*ranks);
  }
  if (groups.empty()) {
    throw UserError(fmt::format(
        "{}: no run{} has ended, or its groups were not written; --set events=all writes them",
        path, run.empty() ? "" : " " + run));
  }
  std::ranges::sort(groups, {}, &RankSet::lo);
  return groups;
}

}  // namespace

void check_groups_file(const GroupsCheckOptions& options) {
  if (options.hosts.empty() && options.ranks == 0) {
    throw UserError("give --ranks, or --hosts where members are processors");
  }
  const Tree tree(options);
  print_out("{}", options.format == "json" ? tree.json() : tree.table());
}

void make_groups_file(const GroupsMakeOptions& options) {
  if ((options.group_size > 0) + !options.results.empty() + !options.hosts.empty() != 1) {
    throw UserError("give one of --group-size, --hosts and --run");
  }
  std::string from;
  std::vector<RankSet> groups;
  if (!options.results.empty()) {
    from = fmt::format("those at the end of a run in {}", options.results);
    groups = final_groups(options.results, options.run);
  } else if (!options.hosts.empty()) {
    from = fmt::format("one for each host of {}", options.hosts);
    groups = groups_of_hosts(options);
  } else if (options.ranks < 1) {
    throw UserError("give --ranks, too");
  } else {
    from = fmt::format("{} in each", options.group_size);
    const auto equal = initial_groups(options.ranks, options.group_size);
    groups.assign(equal.begin(), equal.end());
  }
  std::string text = fmt::format("# Groups of processes, by rank: {}.\ncommunicators:\n", from);
  for (const RankSet& group : groups) {
    std::vector<std::string> ranges;
    for (const auto& [lo, hi] : group.ranges()) {
      ranges.push_back(lo == hi ? fmt::format("{}", lo) : fmt::format("{}-{}", lo, hi));
    }
    text += fmt::format("  - {{name: {}, members: [{}]}}\n", options.name, fmt::join(ranges, ", "));
  }
  Definitions::parse(text, "the file that would be printed");  // throws where the name is not valid
  print_out("{}", text);
}

}  // namespace regroup
