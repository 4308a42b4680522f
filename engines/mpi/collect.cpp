// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/collect.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <type_traits>

#include "kernel/check.hpp"

namespace regroup {
namespace {

/// Everybody's `own`, in the order of ranks, with the number that each rank gave. On rank 0.
template <class Content>
std::vector<Content> gather(std::span<const Content> own, std::vector<int>& counts,
                            MPI_Comm world) {
  static_assert(std::is_trivially_copyable_v<Content>);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  const int bytes = static_cast<int>(own.size_bytes());
  counts.assign(rank == 0 ? static_cast<std::size_t>(ranks) : 0, 0);
  MPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world);
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  const int total = std::accumulate(counts.begin(), counts.end(), 0);
  std::vector<Content> all(static_cast<std::size_t>(total) / sizeof(Content));
  MPI_Gatherv(own.data(), bytes, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, 0,
              world);
  for (int& count : counts) count /= static_cast<int>(sizeof(Content));
  return all;
}

/// A life as it travels, but for its ranks.
struct Row {
  int ranges;
  int walker;
  Turn began;
  Turn ended;
  std::int64_t items[4];
  double times[3];
};

Row row_of(const GroupLife& life) {
  return {static_cast<int>(life.ranks.ranges().size()),
          life.walker,
          life.began,
          life.ended,
          {life.items_before, life.items_after, life.executed_min, life.executed_max},
          {life.formed_s, life.busy_until_s, life.ended_s}};
}

GroupLife life_of(const Row& row, std::span<const RankRange> ranges) {
  GroupLife life;
  life.ranks = RankSet::of({ranges.begin(), ranges.end()});
  life.walker = row.walker;
  life.began = row.began;
  life.ended = row.ended;
  life.items_before = row.items[0];
  life.items_after = row.items[1];
  life.executed_min = row.items[2];
  life.executed_max = row.items[3];
  life.formed_s = row.times[0];
  life.busy_until_s = row.times[1];
  life.ended_s = row.times[2];
  return life;
}

/// The lives of all groups, and for each the lives that come next for its members.
struct Collected {
  std::vector<GroupLife> lives;
  std::vector<std::vector<std::size_t>> next;

  void follows(std::size_t before, std::size_t after) { next[before].push_back(after); }
};

/// In an order in which each comes after all that it follows, the earliest first.
std::vector<std::size_t> in_order(const Collected& all) {
  std::vector<std::size_t> missing(all.lives.size(), 0);
  for (const auto& next : all.next) {
    for (const std::size_t i : next) ++missing[i];
  }
  const auto later = [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) { return std::pair(all.lives[i].formed_s, i); };
    return key(a) > key(b);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> ready(later);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const std::size_t next : all.next[i]) {
      if (--missing[next] == 0) ready.push(next);
    }
  }
  check(order.size() == all.lives.size(), "groups formed of each other in a circle");
  return order;
}

/// A walker's lives follow each other, too: by the items that it has left and, where these are the
/// same, as its ranks had them.
void order_walkers(Collected& all) {
  std::vector<std::size_t> by_walker = in_order(all);
  std::ranges::stable_sort(by_walker, {}, [&](std::size_t i) {
    const GroupLife& life = all.lives[i];
    return std::tuple(life.walker, life.regrouped(), -life.items_before, -life.items_after);
  });
  for (std::size_t i = 1; i < by_walker.size(); ++i) {
    const int walker = all.lives[by_walker[i]].walker;
    if (walker < 0 || walker != all.lives[by_walker[i - 1]].walker) continue;
    all.follows(by_walker[i - 1], by_walker[i]);
  }
}

}  // namespace

std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world) {
  std::vector<Row> own_rows;
  std::vector<RankRange> own_ranges;
  for (const GroupLife& life : own) {
    own_rows.push_back(row_of(life));
    own_ranges.insert(own_ranges.end(), life.ranks.ranges().begin(), life.ranks.ranges().end());
  }
  std::vector<int> counts;
  std::vector<int> range_counts;
  const std::vector<Row> rows = gather(std::span<const Row>(own_rows), counts, world);
  const std::vector<RankRange> ranges =
      gather(std::span<const RankRange>(own_ranges), range_counts, world);

  // The same ranks may have been a group several times: the members' nth life with these ranks
  // belongs to the leader's nth.
  Collected all;
  std::map<std::string, std::vector<std::size_t>> by_ranks;
  std::size_t next_row = 0;
  std::size_t next_range = 0;
  for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) {
    std::map<std::string, std::size_t> seen;
    std::optional<std::size_t> last;
    for (int i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) {
      const Row& row = rows[next_row++];
      const auto number = static_cast<std::size_t>(row.ranges);
      const GroupLife life = life_of(row, std::span(ranges).subspan(next_range, number));
      next_range += number;
      const std::string key = text_of(life.ranks);
      std::vector<std::size_t>& places = by_ranks[key];
      const std::size_t nth = seen[key]++;
      if (nth == places.size()) {
        places.push_back(all.lives.size());
        all.lives.push_back(life);
        all.next.emplace_back();
      } else {
        GroupLife& group = all.lives[places[nth]];
        group.executed_min = std::min(group.executed_min, life.executed_min);
        group.executed_max = std::max(group.executed_max, life.executed_max);
        group.busy_until_s = std::max(group.busy_until_s, life.busy_until_s);
      }
      if (last) all.follows(*last, places[nth]);
      last = places[nth];
    }
  }
  order_walkers(all);
  std::vector<GroupLife> lives;
  for (const std::size_t i : in_order(all)) lives.push_back(all.lives[i]);
  return lives;
}

void count_executed_items(std::span<GroupLife> lives) {
  std::map<int, std::int64_t> left;
  for (const GroupLife& life : lives) left[life.walker] += life.executed_min;
  for (GroupLife& life : lives) {
    if (life.walker < 0) continue;
    life.items_before = left[life.walker];
    life.items_after = left[life.walker] -= life.executed_min;
  }
}

std::vector<ChainEnd> collect_chains(std::span<const ChainEnd> own, MPI_Comm world) {
  std::vector<int> counts;
  std::vector<ChainEnd> all = gather(own, counts, world);
  // One that waited and has no items ends wherever it comes to.
  std::ranges::sort(all, {}, &ChainEnd::number);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::int64_t largest(std::int64_t value, MPI_Comm world) {
  std::int64_t result = 0;
  MPI_Reduce(&value, &result, 1, MPI_INT64_T, MPI_MAX, 0, world);
  return result;
}

double worst(double value, MPI_Comm world) {
  double result = 0;
  MPI_Reduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, 0, world);
  return result;
}

double sum(double value, MPI_Comm world) {
  double result = 0;
  MPI_Reduce(&value, &result, 1, MPI_DOUBLE, MPI_SUM, 0, world);
  return result;
}

}  // namespace regroup
