// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "kernel/check.hpp"
#include "kernel/rules.hpp"

namespace regroup {

std::size_t Balancer::heir(std::span<const Group> groups, const Chain& orphan,
                           const Forecast& forecast) const {
  const auto end_s = [&](const Group& group) {
    return forecast.seconds(group.chain.items_left + orphan.items_left, group.ranks.size());
  };
  return static_cast<std::size_t>(std::ranges::min_element(groups, {}, end_s) - groups.begin());
}

std::vector<int> survivors(int ranks, const RankSet& lost) {
  std::vector<int> left;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!lost.contains(rank)) left.push_back(rank);
  }
  return left;
}

namespace {

RankSet renumbered(const RankSet& ranks, std::span<const int> left) {
  std::vector<RankRange> ranges;
  for (const RankRange range : ranks.ranges()) {
    const auto first = std::ranges::lower_bound(left, range.lo);
    const auto end = std::ranges::upper_bound(left, range.hi);
    if (first == end) continue;
    ranges.push_back(
        {static_cast<int>(first - left.begin()), static_cast<int>(end - left.begin()) - 1});
  }
  return RankSet::of(std::move(ranges));
}

NodeMap renumbered(const NodeMap& nodes, std::span<const int> left) {
  if (!nodes.known()) return nodes;
  std::vector<int> of_ranks;
  std::map<int, int> numbers;
  for (const int rank : left) {
    const int next = static_cast<int>(numbers.size());
    of_ranks.push_back(numbers.emplace(nodes.of(rank), next).first->second);
  }
  return NodeMap(std::move(of_ranks));
}

/// Names of walkers whose chains are executed one after another; the first may be in progress.
using Line = std::vector<int>;

/// Returns the lines of chains with items left. Each line begins with a chain in progress or with
/// one whose predecessor has ended.
std::vector<Line> lines_of(const RunInput& run, const Remains& remains) {
  const WalkerNames& names = run.walker_names();
  std::map<int, Line> lines;
  for (std::size_t i = 0; i < run.groups.size(); ++i) {
    for (int walker = run.chain(i).walker; walker != Chain::none;) {
      if (remains.items_left[static_cast<std::size_t>(names.number(walker))] > 0) {
        lines[run.chain(i).walker].push_back(walker);
      }
      const WaitingWalker* next = run.queue.after(walker);
      walker = next != nullptr ? next->walker : Chain::none;
    }
  }
  std::vector<Line> all;
  for (auto& [first, line] : lines) all.push_back(std::move(line));
  return all;
}

}  // namespace

RunInput rest_of(const RunInput& run, const Remains& remains) {
  const WalkerNames& names = run.walker_names();
  const auto items_of = [&](int walker) {
    return remains.items_left[static_cast<std::size_t>(names.number(walker))];
  };
  const std::vector<int> left = survivors(run.ranks, remains.lost);
  check(!left.empty(), "all ranks are lost");
  const auto wants_of = [&](int walker) {  // at most the number of survivors
    const WaitingWalker* before = run.queue.find(walker);
    return before != nullptr ? std::min(before->wants, static_cast<int>(left.size())) : 1;
  };

  RunInput rest = run;
  rest.ranks = static_cast<int>(left.size());
  rest.nodes = renumbered(run.nodes, left);
  rest.items.clear();
  rest.names = names;

  // The groups of survivors and their chains.
  std::vector<Group> groups;
  std::vector<int> taken;
  for (const Group& group : remains.groups) {
    RankSet ranks = renumbered(group.ranks, left);
    if (ranks.empty()) continue;
    int walker = group.chain.walker;
    if (std::ranges::find(taken, walker) != taken.end()) walker = Chain::none;
    if (walker != Chain::none) taken.push_back(walker);
    groups.push_back({std::move(ranks), {walker, 0}, {}});
  }
  std::ranges::sort(groups, {}, &Group::leader);
  std::vector<RankSet> of_ranks;
  for (const Group& group : groups) of_ranks.push_back(group.ranks);
  rest.groups = StartingGroups(std::move(of_ranks));

  if (run.balancer->gives_walkers()) {
    bool began_idle = true;
    for (std::size_t i = 0; i < run.groups.size(); ++i) {
      began_idle = began_idle && run.chain(i).walker == Chain::none;
    }
    rest.chains.assign(groups.size(), Chain{});
    for (std::size_t i = 0; i < groups.size() && !began_idle; ++i) {
      const int walker = groups[i].chain.walker;
      if (walker != Chain::none && items_of(walker) > 0)
        rest.chains[i] = {walker, items_of(walker)};
    }
    std::vector<WaitingWalker> waiting;
    for (std::size_t number = 0; number < remains.items_left.size(); ++number) {
      const int walker = names.name(number);
      if (remains.items_left[number] == 0) continue;
      if (std::ranges::find(rest.chains, walker, &Chain::walker) != rest.chains.end()) continue;
      waiting.push_back({walker, remains.items_left[number], wants_of(walker)});
    }
    rest.queue = Queue(std::move(waiting), std::vector<std::pair<int, int>>{});
    return rest;
  }

  // A line belongs to the group whose chain is the first of the line or its predecessor.
  std::vector<Line> of_groups(groups.size());
  std::vector<Line> orphans;
  for (Line& line : lines_of(run, remains)) {
    const auto has = [&](const Group& group) {
      if (group.chain.walker == Chain::none) return false;
      if (group.chain.walker == line.front()) return true;
      const WaitingWalker* next = run.queue.after(group.chain.walker);
      return next != nullptr && next->walker == line.front();
    };
    const auto group = std::ranges::find_if(groups, has);
    if (group == groups.end()) {
      orphans.push_back(std::move(line));
      continue;
    }
    Line& own = of_groups[static_cast<std::size_t>(group - groups.begin())];
    own.insert(own.end(), line.begin(), line.end());
  }
  std::vector<int> orphaned;
  for (const Line& line : orphans) orphaned.insert(orphaned.end(), line.begin(), line.end());
  std::ranges::stable_sort(orphaned, std::greater(), items_of);
  const Forecast forecast{[&](int ranks) { return run.believed().seconds(ranks); },
                          [](int) { return 0.0; }, [](int) { return 0.0; }};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const int walker : of_groups[i]) groups[i].chain.items_left += items_of(walker);
  }
  for (const int walker : orphaned) {
    const Chain orphan{walker, items_of(walker)};
    const std::size_t heir = run.balancer->heir(groups, orphan, forecast);
    check(heir < groups.size(), "a balancer names an heir that there is not");
    of_groups[heir].push_back(walker);
    groups[heir].chain.items_left += orphan.items_left;
  }

  rest.chains.clear();
  std::vector<WaitingWalker> waiting;
  std::vector<std::pair<int, int>> next;
  for (const Line& line : of_groups) {
    rest.chains.push_back(line.empty() ? Chain{} : Chain{line.front(), items_of(line.front())});
    for (std::size_t i = 1; i < line.size(); ++i) {
      waiting.push_back({line[i], items_of(line[i]), wants_of(line[i])});
      next.emplace_back(line[i - 1], line[i]);
    }
  }
  std::ranges::sort(waiting, {}, &WaitingWalker::walker);
  std::ranges::sort(next);
  rest.queue = Queue(std::move(waiting), std::move(next));
  return rest;
}

std::optional<std::string> violation(const RunInput& run, const Remains& remains,
                                     const RunInput& rest) {
  const std::vector<int> left = survivors(run.ranks, remains.lost);
  std::vector<int> ranks;
  for (const RankSet& group : rest.groups) {
    for (const RankRange range : group.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) ranks.push_back(rank);
    }
  }
  std::ranges::sort(ranks);
  std::vector<int> expected(left.size());
  std::iota(expected.begin(), expected.end(), 0);
  if (rest.ranks != static_cast<int>(left.size()) || ranks != expected) {
    return fmt::format("{} ranks are left, and groups of {} ranks go on", left.size(),
                       ranks.size());
  }
  std::vector<Chain> unfinished;
  for (std::size_t number = 0; number < remains.items_left.size(); ++number) {
    if (remains.items_left[number] == 0) continue;
    unfinished.push_back({run.walker_names().name(number), remains.items_left[number]});
  }
  std::vector<Chain> found;
  for (std::size_t i = 0; i < rest.groups.size(); ++i) {
    if (rest.chain(i).items_left > 0) found.push_back(rest.chain(i));
  }
  for (const WaitingWalker& task : rest.queue.walkers()) {
    if (task.items > 0) found.push_back({task.walker, task.items});
  }
  for (std::vector<Chain>* chains : {&unfinished, &found}) {
    std::ranges::sort(*chains, {},
                      [](const Chain& c) { return std::pair(c.walker, c.items_left); });
  }
  if (unfinished == found) return std::nullopt;
  for (const Chain& chain : found) {
    const auto number = std::ranges::count(found, chain.walker, &Chain::walker);
    if (number > 1) return fmt::format("walker {} is taken over {} times", chain.walker, number);
    if (std::ranges::find(unfinished, chain) == unfinished.end()) {
      return fmt::format("{} go on, which were not left", name_of(chain));
    }
  }
  for (const Chain& chain : unfinished) {
    if (std::ranges::find(found, chain) == found.end()) {
      return fmt::format("nobody takes over {}", name_of(chain));
    }
  }
  return std::nullopt;
}

}  // namespace regroup
