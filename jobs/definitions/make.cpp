// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/make.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/definitions/hosts.hpp"
#include "kernel/definitions/definitions.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/groups/groups.hpp"

namespace regroup {
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

}  // namespace regroup
