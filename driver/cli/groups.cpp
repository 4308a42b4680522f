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
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cli/commands.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/places/host_list.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "regroup/named.hpp"

namespace regroup {
namespace {

// ---- the processors of ranks

constexpr int most_slots = 1 << 24;

/// Returns the processor of every rank, for a launcher that fills one host after the other.
/// `hosts`: a file or a list of hosts. `ranks`: number of ranks; 0: the number of slots.
std::vector<std::string> processors_of(const std::string& hosts, int ranks) {
  const bool file = std::filesystem::is_regular_file(hosts);
  const std::string text = file ? read_plain_text(hosts, 10'000'000, "a hostfile") : hosts;
  std::vector<std::string> processors;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      for (const auto& [name, slots] : host_list(line)) {
        if (std::ssize(processors) + slots > most_slots) {
          throw UserError(fmt::format("{}: more than {} slots", hosts, most_slots));
        }
        processors.insert(processors.end(), static_cast<std::size_t>(slots), name);
      }
    } catch (const std::invalid_argument& error) {
      throw UserError(fmt::format("{}: {}; give NAME, NAME:SLOTS or NAME slots=SLOTS",
                                  file ? fmt::format("{}:{}", hosts, number) : "--hosts",
                                  error.what()));
    }
  }
  if (processors.empty()) throw UserError(fmt::format("{}: no hosts", hosts));
  if (ranks > std::ssize(processors)) {
    throw UserError(fmt::format(
        "{} ranks do not fit into the {} slots of {}; use NAME:SLOTS for hosts with several slots",
        ranks, processors.size(), hosts));
  }
  if (ranks > 0) processors.resize(static_cast<std::size_t>(ranks));
  return processors;
}

// ---- groups check

/// Returns the ranks in their order: "3 0-2".
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
struct Tree {
  Definitions definitions;
  std::vector<std::string> processors;  ///< of all ranks; empty if members are ranks
  int number_of_ranks;
  std::vector<std::vector<int>> ranks = {};  ///< of each communicator

  const DefinedCommunicator& communicator(int index) const {
    return definitions.communicators()[static_cast<std::size_t>(index)];
  }
  /// Returns the name, with the color if several communicators have the same name.
  std::string name(int index) const {
    const DefinedCommunicator& one = communicator(index);
    if (definitions.named(one.name).size() == 1) return one.name;
    return fmt::format("{} ({})", one.name, one.color);
  }
};

Tree read_tree(const GroupsCheckOptions& options) {
  Tree tree{Definitions::read(options.file), {}, options.ranks};
  if (!options.hosts.empty()) {
    tree.processors = processors_of(options.hosts, options.ranks);
    tree.number_of_ranks = static_cast<int>(tree.processors.size());
  }
  const DefinedGroups groups(tree.definitions, tree.number_of_ranks, tree.processors);
  for (int i = 0; i < std::ssize(tree.definitions.communicators()); ++i) {
    const Members& members = groups.members(i);
    std::vector<int>& ranks = tree.ranks.emplace_back();
    for (int member = 0; member < members.size(); ++member) ranks.push_back(members[member]);
  }
  return tree;
}

/// Returns the processors of these ranks, each once.
std::string processors_text(const Tree& tree, const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  std::vector<std::string> named;
  for (const int rank : ranks) {
    const std::string& processor = tree.processors[static_cast<std::size_t>(rank)];
    if (std::ranges::find(named, processor) != named.end()) continue;
    named.push_back(named.size() < most ? processor : "…");
    if (named.size() > most) break;
  }
  return fmt::format("{}", fmt::join(named, ", "));
}

std::string table(const Tree& tree) {
  const bool on_processors = !tree.processors.empty();
  std::vector<Cells> rows{{"communicator", "size", "ranks"}};
  if (on_processors) rows[0].push_back("on");
  std::vector<bool> covered(static_cast<std::size_t>(tree.number_of_ranks));
  int index = 0;
  for (const std::vector<int>& ranks : tree.ranks) {
    std::string name = tree.name(index);
    for (int parent = tree.communicator(index).parent; parent >= 0;
         parent = tree.communicator(parent).parent) {
      name.insert(0, "  ");
    }
    rows.push_back({name, std::to_string(ranks.size()), text_of(ranks)});
    if (on_processors) rows.back().push_back(processors_text(tree, ranks));
    for (const int rank : ranks) covered[static_cast<std::size_t>(rank)] = true;
    ++index;
  }
  std::string text = text_table(rows, {0, 2, 3});
  for (const DefinedIntercommunicator& one : tree.definitions.intercommunicators()) {
    text += fmt::format("{}: between {} and {}\n", one.name, tree.name(one.first.communicator),
                        tree.name(one.second.communicator));
  }
  const auto outside = std::ranges::count(covered, false);
  return text + fmt::format("\n{}; {} of {} ranks {} in none\n",
                            counted(tree.ranks.size(), "communicator"), outside,
                            tree.number_of_ranks, outside == 1 ? "is" : "are");
}

std::string json(const Tree& tree) {
  using Json = nlohmann::json;
  Json document{{"schema", schema},
                {"ranks", tree.number_of_ranks},
                {"processors", tree.processors},
                {"communicators", Json::array()},
                {"intercommunicators", Json::array()}};
  for (std::size_t i = 0; i < tree.ranks.size(); ++i) {
    const DefinedCommunicator& one = tree.communicator(static_cast<int>(i));
    document["communicators"].push_back({{"name", one.name},
                                         {"color", one.color},
                                         {"parent", one.parent},
                                         {"ranks", tree.ranks[i]}});
  }
  for (const DefinedIntercommunicator& one : tree.definitions.intercommunicators()) {
    document["intercommunicators"].push_back({{"name", one.name},
                                              {"first", one.first.communicator},
                                              {"second", one.second.communicator}});
  }
  return document.dump(1) + "\n";
}

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

/// Returns the groups at the end of a run, ordered by their lowest ranks.
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
      throw UserError(fmt::format("{}: there are several runs; select one with --id: {}, {}, …",
                                  path, found, row["run"]));
    }
    const auto ranks = rank_set_of(row["group_ranks"]);
    if (!ranks) {
      throw UserError(fmt::format("{}:{}: no ranks: '{}'", path, row.line, row["group_ranks"]));
    }
    groups.push_back(*ranks);
  }
  if (groups.empty()) {
    throw UserError(
        fmt::format("{}: no run{} has ended well with stored groups; to store groups, run with "
                    "--set events=all",
                    path, run.empty() ? "" : " " + run));
  }
  std::ranges::sort(groups, {}, &RankSet::lo);
  return groups;
}

}  // namespace

void check_groups_file(const GroupsCheckOptions& options) {
  if (options.hosts.empty() && options.ranks == 0) {
    throw UserError("give --ranks, or --hosts if members are processors");
  }
  const Tree tree = read_tree(options);
  print_out_text(options.format == "json" ? json(tree) : table(tree));
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
  Definitions::parse(text, "the file that would be printed");  // throws if the name is not valid
  print_out_text(text);
}

}  // namespace regroup
