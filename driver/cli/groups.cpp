// SPDX-License-Identifier: BSD-3-Clause
#include "driver/cli/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "driver/store/without_events.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/named.hpp"

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

namespace {

std::string with_ranks(const std::string& from, const std::string& name,
                       const std::vector<RankSet>& groups) {
  std::string text = fmt::format("# Groups of processes, by rank: {}.\ncommunicators:\n", from);
  for (const RankSet& group : groups) {
    std::string members;
    for (const RankRange& range : group.ranges()) {
      if (!members.empty()) members += ", ";
      members += range.size() == 1 ? fmt::format("{}", range.lo)
                                   : fmt::format("{}-{}", range.lo, range.hi);
    }
    text += fmt::format("  - {{name: {}, members: [{}]}}\n", name, members);
  }
  return text;
}

std::vector<RankSet> ranges(const AskedGroups& asked) {
  const auto groups = initial_groups(asked.ranks, asked.group_size);
  return {groups.begin(), groups.end()};
}

std::vector<RankSet> groups_of_hosts(const AskedGroups& asked) {
  const auto processors = processors_of(asked.hosts, asked.ranks);
  std::vector<std::pair<std::string, std::vector<RankRange>>> there;
  for (int rank = 0; rank < std::ssize(processors); ++rank) {
    const std::string& processor = processors[static_cast<std::size_t>(rank)];
    auto found =
        std::ranges::find(there, processor, &std::pair<std::string, std::vector<RankRange>>::first);
    if (found == there.end()) found = there.insert(there.end(), {processor, {}});
    found->second.push_back({rank, rank});
  }
  std::vector<RankSet> groups;
  for (const auto& [processor, of_it] : there) groups.push_back(RankSet::of(of_it));
  return groups;
}

}  // namespace

std::string groups_file(const AskedGroups& asked) {
  const int sources = (asked.group_size > 0) + !asked.part.empty() + !asked.results.empty() +
                      (!asked.hosts.empty() && asked.part.empty());
  if (sources != 1) throw UserError("give one of --group-size, --hosts, --machine and --run");
  std::string text;
  if (!asked.results.empty()) {
    text = with_ranks(fmt::format("what a run in {} ended with", asked.results), asked.name,
                      final_groups(asked.results, asked.run));
  } else if (!asked.hosts.empty()) {
    text = with_ranks(fmt::format("one for each host of {}", asked.hosts), asked.name,
                      groups_of_hosts(asked));
  } else if (asked.ranks < 1) {
    throw UserError("give --ranks, too");
  } else if (asked.group_size > 0) {
    text = with_ranks(fmt::format("{} in each", asked.group_size), asked.name, ranges(asked));
  } else {
    text = with_ranks(fmt::format("one for each {} of this machine", asked.part), asked.name,
                      groups_of_machine(asked.part, asked.ranks));
  }
  Definitions::parse(text, "the file that would be printed");  // whether the name is one
  return text;
}

namespace {

constexpr int most_ranks = 1 << 24;

/// What stands in one line of a hostfile, or between two commas.
struct Host {
  std::string name;
  int slots = 1;
};

std::optional<Host> host_from(const std::string& text) {
  std::istringstream words(text);
  Host host;
  std::string word;
  words >> host.name;
  std::string slots;
  if (words >> word) {
    constexpr std::string_view before = "slots=";
    if (!word.starts_with(before)) return std::nullopt;
    slots = word.substr(before.size());
  } else if (const auto colon = host.name.rfind(':'); colon != std::string::npos) {
    slots = host.name.substr(colon + 1);
    host.name.resize(colon);
  }
  if (!slots.empty()) {
    const auto number = parse<int>(slots);
    if (!number || *number < 1 || *number > most_ranks) return std::nullopt;
    host.slots = *number;
  }
  if (host.name.empty() || host.name.ends_with(':')) return std::nullopt;
  return host;
}

std::vector<Host> hosts_in(const std::string& hosts) {
  const bool file = std::filesystem::is_regular_file(hosts);
  std::string text = file ? read_plain_text(hosts, 10'000'000, "a hostfile") : hosts;
  if (!file) std::ranges::replace(text, ',', '\n');
  std::vector<Host> all;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto host = host_from(line);
    if (!host) {
      throw UserError(fmt::format("{}: '{}' is no host; give NAME, NAME:SLOTS or NAME slots=SLOTS",
                                  file ? fmt::format("{}:{}", hosts, number) : "--hosts", line));
    }
    all.push_back(*host);
  }
  return all;
}

}  // namespace

std::vector<std::string> processors_of(const std::string& hosts, int ranks) {
  std::vector<std::string> processors;
  for (const Host& host : hosts_in(hosts)) {
    if (std::ssize(processors) + host.slots > most_ranks) {
      throw UserError(fmt::format("{}: more than {} slots", hosts, most_ranks));
    }
    processors.insert(processors.end(), static_cast<std::size_t>(host.slots), host.name);
  }
  if (processors.empty()) throw UserError(fmt::format("{}: no hosts", hosts));
  if (ranks > std::ssize(processors)) {
    throw UserError(
        fmt::format("{} ranks do not fit into the {} slots of {}; NAME:SLOTS gives a host "
                    "more",
                    ranks, processors.size(), hosts));
  }
  if (ranks > 0) processors.resize(static_cast<std::size_t>(ranks));
  return processors;
}

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
    if (!ranks)
      throw UserError(fmt::format("{}:{}: no ranks: '{}'", path, row.line, row["group_ranks"]));
    groups.push_back(*ranks);
  }
  if (groups.empty()) {
    const std::string why = why_without_events(directory, run);
    if (!why.empty()) throw UserError(fmt::format("{}: {}", path, why));
    throw UserError(run.empty() ? fmt::format("{}: no run has ended", path)
                                : fmt::format("{}: no run {} has ended", path, run));
  }
  std::ranges::sort(groups, {}, &RankSet::lo);
  return groups;
}

namespace {

constexpr const char* about_files =
    "FILE defines communicators by name, in YAML or in XML; 'docs/named-communicators.md' has "
    "both:\n"
    "  communicators:\n"
    "    - name: RED\n"
    "      members: [pd-01, 'pd-02:0', 'pd-1[0-9]', 4-7]   # processors, expressions, ranks\n"
    "      communicators: [{name: PINK, members: [pd-01]}]\n";

void add_definitions(CLI::App* command, AskedDefinitions& asked) {
  command->add_option("file", asked.file, "the file of definitions")->required();
  command->add_option("--ranks", asked.ranks, "number of processes [the slots of --hosts]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", asked.hosts,
                      "on which processors they are, filled one after the other: a hostfile, or "
                      "NAME:SLOTS,NAME,…");
}

void add_check(CLI::App& groups) {
  CLI::App* command = groups.add_subcommand(
      "check", "Print the tree of groups that a file defines, and who is in them");
  command->footer(about_files);
  const auto asked = std::make_shared<AskedDefinitions>();
  add_definitions(command, *asked);
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([asked, format] {
    asked->json = *format == "json";
    print_out("{}", groups_of_file(*asked));
  });
}

void add_draw(CLI::App& groups, int& code) {
  CLI::App* command = groups.add_subcommand(
      "draw",
      "Make a picture of the groups that a file defines: every process a number, every "
      "communicator a box");
  command->footer(
      "plots/groups.py draws it, with Python and matplotlib; it prints the names of the picture,\n"
      "which is a PNG and an SVG.");
  const auto asked = std::make_shared<AskedDefinitions>();
  add_definitions(command, *asked);
  const auto picture = std::make_shared<AskedPicture>();
  command->add_option("--columns", picture->columns, "processes in a row [a square]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--names", picture->names,
                      "only communicators of these names, with commas between");
  command->add_option("--out", picture->output, "the picture, without its ending [that of FILE]");
  command->callback([asked, picture, &code] { code = draw_groups(*asked, *picture); });
}

void add_make(CLI::App& groups) {
  CLI::App* command = groups.add_subcommand("make", "Print a file that defines groups");
  command->footer("Ranks are given by number. What is printed can be edited, and read by 'check'.");
  const auto asked = std::make_shared<AskedGroups>();
  command->add_option("--name", asked->name, "of all groups [GROUP]");
  command->add_option("--ranks", asked->ranks, "number of processes")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--group-size", asked->group_size, "so many consecutive ranks in each")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", asked->hosts,
                      "one group for each host: a hostfile, or NAME:SLOTS,NAME,…");
  command
      ->add_option("--machine", asked->part,
                   "one for each node, package (socket) or l3 (cache that cores share) of this "
                   "machine, with a rank on each of its cores")
      ->check(CLI::IsMember({"node", "package", "l3"}));
  command->add_option("--run", asked->results,
                      "those that a run ended with, in this directory of results");
  command->add_option("--id", asked->run, "… this run, where there are several");
  command->callback([asked] { print_out("{}", groups_file(*asked)); });
}

}  // namespace

void add_groups_command(CLI::App& app, int& code) {
  CLI::App* groups = app.add_subcommand(
      "groups", "Files that define communicators by name: who is in them, and new ones");
  groups->require_subcommand(1);
  add_check(*groups);
  add_draw(*groups, code);
  add_make(*groups);
}

}  // namespace regroup
