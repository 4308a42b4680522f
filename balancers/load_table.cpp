// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/load_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace regroup {

void HelpTable::add(const Chain& chain, int contact, int ranks, const Forecast& forecast,
                    double from, int node) {
  const double begins = std::max(now, from);
  const Working group{contact, ranks,
                      by_ends ? begins + forecast.seconds(chain.items_left, ranks) : 0, node};
  groups[chain.walker] = group;
  insert(chain.walker, group);
}

void HelpTable::insert(int walker, const Working& group) {
  needs.insert(need(walker, group));
  needs_by_node[group.node].insert(need(walker, group));
}

bool HelpTable::erase(int walker, const Working& group) {
  needs_by_node[group.node].erase(need(walker, group));
  return needs.erase(need(walker, group)) > 0;
}

const HelpTable::Needs& HelpTable::needs_near(int node, double free_at) const {
  const auto found = needs_by_node.find(node);
  if (found == needs_by_node.end() || found->second.empty()) return needs;
  const Working& first = groups.at(found->second.begin()->second);
  return !by_ends || first.end > free_at ? found->second : needs;
}

void HelpTable::advance(const Chain& chain, const Forecast& forecast) {
  const auto found = groups.find(chain.walker);
  if (found == groups.end()) return;
  const Working& group = found->second;
  now = std::max(now, group.end - forecast.seconds(chain.items_left, group.ranks));
}

void HelpTable::exclude(int walker) {
  const auto found = groups.find(walker);
  if (found != groups.end()) erase(walker, found->second);
}

double HelpTable::remove(const Chain& chain, int ranks, const Forecast& forecast) {
  advance(chain, forecast);
  if (const auto own = groups.find(chain.walker); own != groups.end()) {
    erase(chain.walker, own->second);
    groups.erase(own);
  }
  return now + forecast.seconds(chain.items_left, ranks);
}

std::vector<HelpTable::Share> HelpTable::distribute(const Chain& chain, int ranks,
                                                    const Forecast& forecast,
                                                    const std::vector<int>& nodes) {
  const int all = ranks;
  const double free_at = remove(chain, ranks, forecast);

  struct Helped {
    Working before;
    double items;  // that it has left when the ranks are free
    int first;     // of the ranks
  };
  std::map<int, Helped> helped;
  const auto costs = [&](const Working& group) { return forecast.regroup_s(group.ranks); };
  for (;;) {
    while (ranks > 0 && !needs.empty()) {
      const auto next = static_cast<std::size_t>(all - ranks);
      const int walker = (nodes.empty() ? needs : needs_near(nodes[next], free_at)).begin()->second;
      Working& group = groups[walker];
      if (by_ends && group.end <= free_at) break;
      erase(walker, group);
      const auto [entry, is_new] = helped.try_emplace(walker, Helped{group, 0, all - ranks});
      Helped& help = entry->second;
      if (is_new && by_ends) help.items = (group.end - free_at) / forecast.item_s(group.ranks);
      const bool is_slower = most_ranks > 0 && group.ranks >= most_ranks;
      if (is_slower || forecast.item_s(group.ranks + 1) >= forecast.item_s(group.ranks)) {
        if (is_new) helped.erase(entry);
        continue;  // it stays out of those that can be helped
      }
      ++group.ranks;
      --ranks;
      if (by_ends) group.end = free_at + help.items * forecast.item_s(group.ranks);
      insert(walker, group);
    }
    if (!by_ends) break;
    // Help that saves less than its regrouping costs is taken back.
    const auto in_vain = std::ranges::find_if(helped, [&](const auto& pair) {
      const Working& group = groups[pair.first];
      return group.end + costs(group) >= pair.second.before.end;
    });
    if (in_vain == helped.end()) break;
    const auto& [walker, help] = *in_vain;
    Working& group = groups[walker];
    erase(walker, group);
    ranks += group.ranks - help.before.ranks;
    group = help.before;
    helped.erase(in_vain);
  }
  std::vector<std::pair<int, Share>> shares;  // and the first of their ranks
  for (const auto& [walker, help] : helped) {
    Working& group = groups[walker];
    if (group.ranks == help.before.ranks) continue;
    shares.push_back({help.first, {group.contact, group.ranks - help.before.ranks}});
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

/// The number of ranks with which a chain of `items` items ends within `end_s`: a fraction of one
/// where it needs less, infinite where none suffices.
double ranks_needed(std::int64_t items, double end_s, int most, const Forecast& forecast) {
  const double rate = static_cast<double>(items) / end_s;  // items a second
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

std::vector<Group> divided_by_load(std::span<const Group> groups, std::int64_t note,
                                   const Forecast& forecast) {
  int ranks = 0;
  for (const Group& group : groups) ranks += group.ranks.size();
  const std::vector<int> shares = shares_by_load(groups, ranks, forecast);
  std::vector<Group> divided;
  int next = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (shares[i] == 0) continue;
    divided.push_back({{next, next + shares[i] - 1}, groups[i].chain, {note}});
    next += shares[i];
  }
  if (next < ranks) divided.push_back({{next, ranks - 1}, {}, {note}});
  return divided;
}

std::vector<int> shares_by_load(std::span<const Group> groups, int ranks,
                                const Forecast& forecast) {
  std::map<std::int64_t, std::int64_t> chains;  // with so many items
  for (const Group& group : groups) ++chains[group.chain.items_left];
  chains.erase(0);
  std::vector<int> shares(groups.size(), 0);
  if (chains.empty()) return shares;

  int best = ranks;
  while (best > 1 && forecast.item_s(best / 2) <= forecast.item_s(best)) best /= 2;
  const auto total = [&](double end_s) {
    double sum = 0;
    for (const auto& [items, number] : chains) {
      sum += static_cast<double>(number) * ranks_needed(items, end_s, best, forecast);
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
  for (const auto& [items, number] : chains)
    needed[items] = ranks_needed(items, high, best, forecast);

  const auto end = [&](std::size_t i) {
    return forecast.seconds(groups[i].chain.items_left, shares[i]);
  };
  std::priority_queue<std::pair<double, std::size_t>> ends;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].chain.items_left == 0) continue;
    shares[i] = 1;
    --ranks;
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (shares[i] == 0) continue;
    const double need = needed[groups[i].chain.items_left];
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

std::optional<ItemTimes> best_of(std::span<const ItemTimes> measured,
                                 std::optional<ItemTimes> best) {
  for (const ItemTimes& one : measured) {
    if (!best || one.log_mean < best->log_mean) best = one;
  }
  return best;
}

SizeTrial trial_of(int ranks, std::span<const ItemTimes> measured,
                   const std::optional<ItemTimes>& elsewhere) {
  constexpr std::int64_t fewest = 4;
  constexpr std::int64_t enough = 64;
  constexpr double usual_variance = 0.01;  // of a single item: until several have told it
  const double slower = std::log(1.03);
  const auto own = std::ranges::lower_bound(measured, ranks, {}, &ItemTimes::ranks);
  const auto best = best_of(std::span(measured.begin(), own),
                            elsewhere && elsewhere->ranks < ranks ? elsewhere : std::nullopt);
  if (!best) return {};
  if (own == measured.end() || own->ranks != ranks || own->items < fewest) return {0, true};
  const auto squared_error = [&](const ItemTimes& one) {
    const auto items = static_cast<double>(one.items);
    return (usual_variance + one.squared_deviations) / items / items;
  };
  const double error = std::sqrt(squared_error(*own) + squared_error(*best));
  const double longer = own->log_mean - best->log_mean;
  if (longer > slower + 2 * error) return {best->ranks, false};
  return {0, own->items < enough && longer > slower - 2 * error};
}

void Coordinator::read(const Message& message, const Knowledge& own) {
  if (message.word == request) {
    requests.push_back(message);
    return;
  }
  const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
  reported += message.ranks.size();
  if (chain.items_left == 0) return;
  table.add(chain, message.from, message.ranks.size(), own.forecast, 0, own.nodes.of(message.from));
}

std::vector<int> Coordinator::nodes_of(const RankSet& ranks, const NodeMap& nodes) const {
  std::vector<int> all;
  if (!prefer_own_node) return all;
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi; ++rank) all.push_back(nodes.of(rank));
  }
  return all;
}

std::vector<Outgoing> Coordinator::answers(const Knowledge& own) {
  std::vector<Outgoing> answers;
  for (const Message& message : std::exchange(requests, {})) {
    answer(message, own, answers);
  }
  if (waiting == own.ranks) {
    for (const int leader : std::exchange(parked, {})) {
      answers.push_back({leader, {release, 0, {}, {}}});
    }
    waiting = 0;
  }
  return answers;
}

void Coordinator::answer(const Message& request, const Knowledge& own,
                         std::vector<Outgoing>& answers) {
  const Queue& queue = own.queue;
  const Forecast& forecast = own.forecast;
  const Chain chain{static_cast<int>(request.numbers[0]), request.numbers[1]};
  int idle = request.ranks.size();
  table.exclude(static_cast<int>(request.numbers[2]));
  if (const int most = static_cast<int>(request.numbers[3]); most > 0) {
    table.most_ranks = table.most_ranks > 0 ? std::min(table.most_ranks, most) : most;
  }
  if (given < queue.walkers().size()) {
    const WaitingWalker& walker = queue.walkers()[given++];
    const double from = table.remove(chain, idle, forecast);
    if (walker.items > 0) {
      table.add({walker.walker, walker.items}, request.from, idle, forecast, from,
                own.nodes.of(request.from));
    }
    answers.push_back({request.from, {next, 0, {}, {walker.walker}}});
    return;
  }
  const std::vector<HelpTable::Share> shares =
      table.distribute(chain, idle, forecast, nodes_of(request.ranks, own.nodes));
  for (std::size_t i = 0; i < shares.size(); i += 2) {
    const bool last = i + 2 >= shares.size();
    const HelpTable::Share& one = shares[i];
    const HelpTable::Share two = i + 1 < shares.size() ? shares[i + 1] : HelpTable::Share{};
    idle -= one.ranks + two.ranks;
    answers.push_back(
        {request.from,
         {last ? last_help : help, 0, {}, {one.contact, one.ranks, two.contact, two.ranks}}});
  }
  if (idle == 0) return;
  parked.push_back(request.from);
  waiting += idle;
}

}  // namespace regroup
