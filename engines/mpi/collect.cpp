// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/collect.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>

#include "engines/mpi/surroundings.hpp"
#include "kernel/check.hpp"

namespace regroup {
namespace {

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
  Outcome told;
  told.lives.assign(own.begin(), own.end());
  const std::vector<std::string> texts = gather_texts(to_json(told), world);

  // The same ranks may have been a group several times: the members' nth life with these ranks
  // belongs to the leader's nth.
  Collected all;
  std::map<std::string, std::vector<std::size_t>> by_ranks;
  for (const std::string& text : texts) {
    std::map<std::string, std::size_t> seen;
    std::optional<std::size_t> last;
    for (const GroupLife& life : outcome_from_json(text).lives) {
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
  const auto* const bytes = reinterpret_cast<const char*>(own.data());
  std::vector<ChainEnd> all;
  for (const std::string& text : gather_texts({bytes, own.size_bytes()}, world)) {
    const std::size_t before = all.size();
    all.resize(before + text.size() / sizeof(ChainEnd));
    std::memcpy(all.data() + before, text.data(), text.size());
  }
  // One that waited and has no items ends wherever it comes to.
  std::ranges::sort(all, {}, &ChainEnd::number);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

namespace {

template <class Number>
Number reduced(Number value, MPI_Datatype type, MPI_Op op, MPI_Comm world) {
  Number result = 0;
  MPI_Reduce(&value, &result, 1, type, op, 0, world);
  return result;
}

}  // namespace

std::int64_t largest(std::int64_t value, MPI_Comm world) {
  return reduced(value, MPI_INT64_T, MPI_MAX, world);
}
double worst(double value, MPI_Comm world) { return reduced(value, MPI_DOUBLE, MPI_MAX, world); }
double sum(double value, MPI_Comm world) { return reduced(value, MPI_DOUBLE, MPI_SUM, world); }

}  // namespace regroup
