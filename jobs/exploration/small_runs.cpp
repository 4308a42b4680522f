// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/exploration/small_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace regroup {
namespace {

/// What an option can be that makes a difference in small runs.
std::vector<std::string> values(const OptionSpec& spec) {
  if (!spec.words.empty()) return {spec.words.begin(), spec.words.end()};
  if (spec.type == OptionSpec::Type::integer && spec.min <= 1 && spec.max >= 3) {
    return {"1", "2", "3"};
  }
  return {std::string(spec.fallback)};
}

}  // namespace

std::vector<Choice> variants(const BalancerEntry& entry) {
  std::vector<Choice> all{{std::string(entry.name), {}}};
  for (const OptionSpec& spec : entry.options) {
    std::vector<Choice> more;
    for (const Choice& choice : all) {
      for (const std::string& value : values(spec)) {
        more.push_back(choice);
        more.back().options.set(std::string(spec.name), value);
      }
    }
    all = std::move(more);
  }
  return all;
}

std::string name_of_variant(const Choice& balancer) {
  std::vector<std::string> options;
  for (const auto& [name, value] : balancer.options) options.push_back(name + "=" + value);
  return options.empty() ? balancer.name
                         : fmt::format("{}({})", balancer.name, fmt::join(options, ", "));
}

std::string describe(const SmallRuns& runs) {
  return fmt::format("{} group{} of {}{}, 0 to {} item{} each", runs.groups,
                     runs.groups == 1 ? "" : "s", runs.group_size,
                     runs.waiting == 0 ? ""
                                       : fmt::format(", {} walker{} behind", runs.waiting,
                                                     runs.waiting == 1 ? "" : "s"),
                     runs.most_items, runs.most_items == 1 ? "" : "s");
}

const std::vector<SmallRuns>& small_runs() {
  static const std::vector<SmallRuns> all{
      {1, 1},    {1, 3}, {1, 2, 1, 2}, {2, 1}, {1, 3, 2},    {2, 2, 1, 2}, {3, 1},    {2, 3},
      {2, 2, 2}, {3, 2}, {2, 1, 2, 3}, {3, 3}, {3, 1, 1, 2}, {4, 1},       {3, 1, 2}, {4, 2}};
  return all;
}

Exploration explore(const Choice& balancer, const SmallRuns& runs, const Catalog& catalog) {
  const std::unique_ptr<Balancer> prototype = make_balancer(balancer, catalog);
  const bool idle = find_entry(catalog.balancers, balancer.name)->start == Start::idle;
  const bool prefers =
      balancer.options.has("prefer_own_node") && balancer.options.text("prefer_own_node") == "true";
  std::vector<int> nodes;
  for (int rank = 0; rank < runs.groups * runs.group_size; ++rank) {
    nodes.push_back(rank / runs.group_size % 2);
  }
  return explore(*prototype, all_starts(runs.groups + runs.waiting, runs.most_items),
                 runs.group_size, {runs.waiting, idle, prefers ? NodeMap(nodes) : NodeMap()});
}

}  // namespace regroup
