// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/rank_news.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "kernel/files/files.hpp"
#include "kernel/files/rank_records.hpp"
#include "kernel/places/host_list.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"
#include "library/resolve.hpp"
#include "regroup/groups.hpp"

namespace regroup {
namespace {

constexpr std::size_t most_in_line = 200;  // of a list, in bytes

std::string ranks_in_words(const RankSet& ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s",
                     shortened(text_of(ranks), most_in_line));
}

/// Returns the host on which MPICH's launcher starts each rank, by the host list in `file`; empty
/// if it cannot be read.
std::vector<std::string> planned_hosts(const std::string& file, int ranks) {
  std::vector<std::string> slots;
  try {
    for (const ListedHost& host : host_list(read_file(file).value_or(""))) {
      slots.insert(slots.end(), static_cast<std::size_t>(std::clamp(host.slots, 0, ranks)),
                   host.name);
    }
  } catch (const std::invalid_argument&) {
    return {};
  }
  std::vector<std::string> hosts;
  for (int rank = 0; rank < ranks && !slots.empty(); ++rank) {
    hosts.push_back(slots[static_cast<std::size_t>(rank) % slots.size()]);
  }
  return hosts;
}

std::string host_file(const Configuration& configuration) {
  constexpr auto name = "HYDRA_HOST_FILE";
  const auto found = configuration.environment.find(name);
  if (found != configuration.environment.end()) return found->second;
  const char* inherited = std::getenv(name);
  return inherited == nullptr ? "" : inherited;
}

RankSet set_of(const std::vector<int>& ranks) {
  std::vector<RankRange> ranges;
  for (const int rank : ranks) ranges.push_back({rank, rank});
  return RankSet::of(std::move(ranges));
}

}  // namespace

std::string start_news(const Configuration& configuration, const Task& task,
                       const std::string& records) {
  const std::vector<std::string> lines = read_rank_records(records, task.ranks);
  std::vector<int> missing;
  std::map<std::string, std::vector<int>> doing;
  for (int rank = 0; rank < task.ranks; ++rank) {
    const std::string& line = lines[static_cast<std::size_t>(rank)];
    if (line.empty()) {
      missing.push_back(rank);
    } else {
      doing[one_line(line)].push_back(rank);
    }
  }
  if (missing.empty()) {
    std::vector<std::string> parts;
    for (const auto& [what, ranks] : doing) {
      parts.push_back(fmt::format("{} {}", ranks_in_words(set_of(ranks)), what));
    }
    return fmt::format("all ranks have started: {}", fmt::join(parts, ", "));
  }
  std::set<std::string> hosts;
  const std::vector<std::string> planned = planned_hosts(host_file(configuration), task.ranks);
  for (const int rank : missing) {
    if (!planned.empty()) hosts.insert(planned[static_cast<std::size_t>(rank)]);
  }
  const std::string where =
      hosts.empty()
          ? ""
          : fmt::format(" ({})", one_line(shortened(fmt::format("{}", fmt::join(hosts, ", ")),
                                                    most_in_line)));
  return fmt::format("{} of {} {} not started yet{}", ranks_in_words(set_of(missing)), task.ranks,
                     missing.size() == 1 ? "is" : "are", where);
}

namespace {

/// The record of a rank whose run is in progress.
struct RankPosition {
  int rank = 0;
  int leader = 0;
  int chain = -1;
  std::int64_t items_left = 0;
  double for_s = 0;
  std::string doing;
};

/// Returns the positions of all ranks with a record; adds the others to `silent`.
std::vector<RankPosition> read_positions(const Task& task, const std::string& records,
                                         std::vector<int>& silent) {
  std::vector<RankPosition> all;
  const std::vector<std::string> lines = read_rank_records(records, task.ranks);
  for (int rank = 0; rank < task.ranks; ++rank) {
    RankPosition at;
    at.rank = rank;
    std::istringstream line(one_line(lines[static_cast<std::size_t>(rank)]));
    if (line >> at.leader >> at.chain >> at.items_left >> at.for_s >> std::ws &&
        std::getline(line, at.doing)) {
      all.push_back(std::move(at));
    } else {
      silent.push_back(rank);
    }
  }
  return all;
}

/// Returns "chain 3 at item 58 of 90".
std::string progress_of(const RankPosition& leader, const Items& items) {
  if (leader.chain < 0) return "no chain";
  const auto chain = static_cast<std::size_t>(leader.chain);
  if (chain >= items.size()) return fmt::format("chain {}", chain);
  if (leader.items_left <= 0) return fmt::format("chain {} at its end", chain);
  return fmt::format("chain {} at item {} of {}", chain, items[chain] - leader.items_left + 1,
                     items[chain]);
}

std::string doing(const RankPosition& at) {
  return fmt::format("{} for {}", at.doing, in_fitting_unit(at.for_s));
}

}  // namespace

Positions positions_of(const Task& task, const std::string& records) {
  constexpr std::size_t most_told = 3;
  if (!task.is_run()) return {};
  std::vector<int> silent;
  const std::vector<RankPosition> ranks = read_positions(task, records, silent);
  if (ranks.empty()) return {};
  const Items items = initial_items(task);
  std::map<int, std::vector<const RankPosition*>> groups;
  for (const RankPosition& at : ranks) groups[at.leader].push_back(&at);
  std::vector<const std::vector<const RankPosition*>*> slowest_first;
  for (const auto& [leader, members] : groups) slowest_first.push_back(&members);
  const auto left = [](const auto* members) { return members->front()->items_left; };
  std::ranges::stable_sort(slowest_first, std::greater(), left);

  Positions found;
  std::vector<std::string> told;
  for (const auto* members : slowest_first) {
    const RankPosition& leader = *members->front();
    std::vector<int> numbers;
    for (const RankPosition* member : *members) numbers.push_back(member->rank);
    const std::string line = fmt::format("{} on {}: {}", progress_of(leader, items),
                                         ranks_in_words(set_of(numbers)), doing(leader));
    if (told.size() < most_told) told.push_back(line);
    found.all += line + '\n';
    for (const RankPosition* member : *members) {
      if (member->doing == leader.doing) continue;
      found.all += fmt::format("  rank {}: {}\n", member->rank, doing(*member));
    }
  }
  found.summary = fmt::format("{}", fmt::join(told, "; "));
  if (!silent.empty()) {
    const std::string line = fmt::format("nothing from {}", ranks_in_words(set_of(silent)));
    found.all = line + '\n' + found.all;
    found.summary = line + "; " + found.summary;
  }
  if (slowest_first.size() > most_told) {
    found.summary += fmt::format("; {} more", counted(slowest_first.size() - most_told, "group"));
  }
  return found;
}

}  // namespace regroup
