// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/load_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

namespace regroup {

HelpTable::Working* HelpTable::find(int walker) {
  auto* found = groups.find(walker);
  return found != nullptr ? &found->second : nullptr;
}

HelpTable::Working& HelpTable::at(int walker) {
  Working* found = find(walker);
  if (found == nullptr) throw std::out_of_range(fmt::format("no group has walker {}", walker));
  return *found;
}

void HelpTable::add(const Chain& chain, int contact, int ranks, const Forecast& forecast,
                    double from, int node) {
  const double begins = std::max(now, from);
  const Working group{contact, ranks,
                      by_ends ? begins + forecast.seconds(chain.items_left, ranks) : 0, node};
  groups.insert({chain.walker, group});
  insert(chain.walker, group);
}

void HelpTable::insert(int walker, const Working& group) {
  if (!group.accepts_help) return;
  needs.insert(need(walker, group));
  if (by_node) needs_by_node[group.node].insert(need(walker, group));
}

bool HelpTable::erase(int walker, const Working& group) {
  const Need one = need(walker, group);
  if (full.erase(one)) return true;
  if (by_node) needs_by_node[group.node].erase(one);
  return needs.erase(one);
}

const HelpTable::Needs& HelpTable::needs_near(int node, double free_at) const {
  const auto found = needs_by_node.find(node);
  if (found == needs_by_node.end() || found->second.empty()) return needs;
  return !by_ends || -found->second.front().first > free_at ? found->second : needs;
}

void HelpTable::correct(const Chain& chain, const Forecast& forecast) {
  Working* group = find(chain.walker);
  if (group == nullptr || !by_ends) return;
  const bool can_be_helped = erase(chain.walker, *group);
  group->end = now + forecast.seconds(chain.items_left, group->ranks);
  if (can_be_helped) insert(chain.walker, *group);
}

void HelpTable::accept_help(int walker, bool accepts) {
  Working* group = find(walker);
  if (group == nullptr || group->accepts_help == accepts) return;
  if (!accepts) erase(walker, *group);
  group->accepts_help = accepts;
  if (accepts) insert(walker, *group);
}

void HelpTable::resize(int walker, int ranks, const Forecast& forecast) {
  Working& group = at(walker);
  const bool can_be_helped = erase(walker, group);
  if (by_ends) {
    group.end =
        now + items_left(group, now, forecast) * forecast.item_s(ranks) + forecast.regroup_s(ranks);
  }
  group.ranks = ranks;
  if (can_be_helped) insert(walker, group);
}

double HelpTable::last_end(const Forecast& forecast) const {
  HelpTable table = *this;
  double end = now;
  while (!table.needs.empty()) {
    const auto [last, walker] = table.needs.back();
    end = std::max(end, -last);
    table.now = std::max(table.now, -last);
    table.distribute({walker, 0}, table.at(walker).ranks, forecast);
    if (!table.full.empty()) end = std::max(end, -table.full.front().first);
    table.full = {};
  }
  return end;
}

void HelpTable::forecast_again(const Forecast& before, const Forecast& forecast) {
  if (!by_ends) {  // needs do not depend on the forecast
    const Needs all = std::exchange(full, {});
    for (const auto& [ranks, walker] : all.entries()) insert(walker, at(walker));
    return;
  }
  std::vector<Need> sorted;
  sorted.reserve(groups.size());
  needs_by_node.clear();
  for (auto& [walker, group] : groups.entries()) {
    group.end = now + items_left(group, now, before) * forecast.item_s(group.ranks);
    if (!group.accepts_help) continue;
    sorted.push_back(need(walker, group));
    if (by_node) needs_by_node[group.node].insert(need(walker, group));
  }
  std::ranges::sort(sorted);
  needs = Needs(sorted);
  full = {};
}

double HelpTable::remove(const Chain& chain, int ranks, const Forecast& forecast) {
  if (const Working* own = find(chain.walker)) {
    erase(chain.walker, *own);
    groups.erase(chain.walker);
  }
  return now + forecast.seconds(chain.items_left, ranks);
}

std::vector<HelpTable::Share> HelpTable::distribute(const Chain& chain, int ranks,
                                                    const Forecast& forecast,
                                                    const std::vector<int>& nodes) {
  const int all = ranks;
  const double free_at = remove(chain, ranks, forecast);

  struct Helped {
    Working* group;
    Working before;
    double items;  // left when the ranks are free
    int first;     // index of its first new rank
  };
  std::map<int, Helped> helped;
  const auto costs = [&](const Working& group) { return forecast.regroup_s(group.ranks); };
  for (;;) {
    while (ranks > 0 && !needs.empty()) {
      const auto next = static_cast<std::size_t>(all - ranks);
      const int walker = (nodes.empty() ? needs : needs_near(nodes[next], free_at)).front().second;
      Working& group = at(walker);
      if (by_ends && group.end <= free_at) break;
      erase(walker, group);
      const int most = most_ranks > 0 ? std::min(ranks, most_ranks - group.ranks) : ranks;
      const auto helps = [&](int more) {
        return forecast.item_s(group.ranks + more) < forecast.item_s(group.ranks);
      };
      int more = std::min(most, by_ends ? 1 : std::max(1, group.ranks / 8));
      while (more < most && !helps(more)) more = std::min(most, 2 * more);
      if (more <= 0 || !helps(more)) {
        insert_full(walker, group);
        continue;
      }
      const auto [entry, is_new] =
          helped.try_emplace(walker, Helped{&group, group, 0, all - ranks});
      Helped& help = entry->second;
      if (is_new && by_ends) help.items = items_left(group, free_at, forecast);
      group.ranks += more;
      ranks -= more;
      if (by_ends) group.end = free_at + help.items * forecast.item_s(group.ranks);
      insert(walker, group);
    }
    if (!by_ends) break;
    // Revokes help that saves less than its regrouping costs.
    const auto in_vain = std::ranges::find_if(helped, [&](const auto& pair) {
      const Working& group = *pair.second.group;
      return group.end + costs(group) >= pair.second.before.end;
    });
    if (in_vain == helped.end()) break;
    const auto& [walker, help] = *in_vain;
    Working& group = *help.group;
    erase(walker, group);
    ranks += group.ranks - help.before.ranks;
    group = help.before;
    helped.erase(in_vain);
  }
  std::vector<std::pair<int, Share>> shares;  // with Helped::first
  for (const auto& [walker, help] : helped) {
    Working& group = *help.group;
    if (group.ranks == help.before.ranks) continue;
    shares.push_back({help.first, {group.contact, group.ranks - help.before.ranks, walker}});
    if (!by_ends) continue;
    const bool can_be_helped = erase(walker, group);
    group.end += costs(group);
    if (can_be_helped) insert(walker, group);
  }
  if (!nodes.empty()) std::ranges::stable_sort(shares, {}, &std::pair<int, Share>::first);
  std::vector<Share> in_order;
  in_order.reserve(shares.size());
  for (const auto& [first, share] : shares) in_order.push_back(share);
  return in_order;
}

namespace {

/// Returns the interpolated number of ranks with which `items` items take `end_s` seconds; infinite
/// if `most` ranks do not suffice.
double ranks_needed(std::int64_t items, double end_s, int most, const Forecast& forecast) {
  const double rate = static_cast<double>(items) / end_s;  // items per second
  const auto rate_of = [&](int ranks) { return ranks == 0 ? 0 : 1 / forecast.item_s(ranks); };
  if (rate_of(most) < rate) return std::numeric_limits<double>::infinity();
  int low = 0;
  for (int high = most; high - low > 1;) {
    const int middle = low + (high - low) / 2;
    (rate_of(middle) < rate ? low : high) = middle;
  }
  return low + (rate - rate_of(low)) / (rate_of(low + 1) - rate_of(low));
}

}  // namespace

std::vector<int> shares_by_load(std::span<const std::int64_t> items, int ranks,
                                const Forecast& forecast) {
  std::map<std::int64_t, std::int64_t> chains;  // number of chains by number of items
  for (const std::int64_t one : items) ++chains[one];
  chains.erase(0);
  std::vector<int> shares(items.size(), 0);
  if (chains.empty()) return shares;

  int best = ranks;
  while (best > 1 && forecast.item_s(best / 2) <= forecast.item_s(best)) best /= 2;
  const auto total = [&](double end_s) {
    double sum = 0;
    for (const auto& [length, number] : chains) {
      sum += static_cast<double>(number) * ranks_needed(length, end_s, best, forecast);
    }
    return sum;
  };
  double low = 0;
  double high = forecast.seconds(chains.rbegin()->first, best);
  while (total(high) > ranks) high *= 2;
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    (total(middle) > ranks ? low : high) = middle;
  }
  const auto is_long = [&](double need) {
    const int n = static_cast<int>(std::ceil(need));
    return 2 * forecast.item_s(1) < n * forecast.item_s(n);
  };
  std::map<std::int64_t, double> needed;
  for (const auto& [length, number] : chains)
    needed[length] = ranks_needed(length, high, best, forecast);

  const auto end = [&](std::size_t i) { return forecast.seconds(items[i], shares[i]); };
  std::priority_queue<std::pair<double, std::size_t>> ends;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] == 0) continue;
    shares[i] = 1;
    --ranks;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (shares[i] == 0) continue;
    const double need = needed[items[i]];
    const int more = is_long(need) ? std::min(ranks, static_cast<int>(std::ceil(need)) - 1) : 0;
    shares[i] += more;
    ranks -= more;
    ends.push({end(i), i});
  }
  while (ranks > 0 && !ends.empty()) {
    const auto [last, i] = ends.top();
    ends.pop();
    ++shares[i];
    if (end(i) >= last) {
      --shares[i];
      continue;
    }
    --ranks;
    ends.push({end(i), i});
  }
  return shares;
}

}  // namespace regroup
