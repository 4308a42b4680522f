// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>

#include "engines/mpi/state_messages.hpp"
#include "kernel/check.hpp"
#include "regroup/communicator.hpp"
#include "regroup/walker.hpp"

namespace regroup {
namespace {

/// A GroupLife without its ranks.
struct LifeFacts {
  int walker;
  Turn began;
  Turn ended;
  std::int64_t items[4];
  double times_s[3];
};

}  // namespace

void put(std::span<const ChainFailure> failures, Packer& packer) {
  packer.put(failures.size());
  for (const ChainFailure& failure : failures) {
    packer.put(failure.number);
    packer.put(failure.item);
    packer.put_all(std::span<const char>(failure.reason));
  }
}

std::vector<ChainFailure> take_failures(Unpacker& unpacker) {
  std::vector<ChainFailure> failures(unpacker.take<std::size_t>());
  for (ChainFailure& failure : failures) {
    failure.number = unpacker.take<int>();
    failure.item = unpacker.take<std::int64_t>();
    const auto reason = unpacker.take_all<char>();
    failure.reason.assign(reason.begin(), reason.end());
  }
  return failures;
}

State packed(const RankResult& result) {
  State state;
  Packer packer(state);
  packer.put(result.figures);
  packer.put_all(std::span<const ChainEnd>(result.chains));
  packer.put(result.lives.size());
  for (const GroupLife& life : result.lives) {
    packer.put(
        LifeFacts{life.walker,
                  life.began,
                  life.ended,
                  {life.items_before, life.items_after, life.executed_min, life.executed_max},
                  {life.formed_s, life.busy_until_s, life.ended_s}});
    packer.put_all(life.ranks.ranges());
  }
  packer.put_all(std::span<const int>(result.phases));
  put(result.failures, packer);
  return state;
}

RankResult unpacked(std::span<const std::byte> state) {
  Unpacker unpacker(state);
  RankResult result;
  result.figures = unpacker.take<RankResult::Figures>();
  result.chains = unpacker.take_all<ChainEnd>();
  result.lives.resize(unpacker.take<std::size_t>());
  for (GroupLife& life : result.lives) {
    const auto facts = unpacker.take<LifeFacts>();
    life = {RankSet::of(unpacker.take_all<RankRange>()),
            facts.walker,
            facts.began,
            facts.ended,
            facts.items[0],
            facts.items[1],
            facts.items[2],
            facts.items[3],
            facts.times_s[0],
            facts.times_s[1],
            facts.times_s[2]};
  }
  result.phases = unpacker.take_all<int>();
  result.failures = take_failures(unpacker);
  return result;
}

std::vector<RankResult> collect(const RankResult& own, const World& world, Tag tag) {
  if (world.rank() != 0) {
    send_state(packed(own), world.process(0), world.tag(tag), world.waiter(), world.comm());
    return {};
  }
  std::vector<RankResult> results{own};
  for (int other = 1; other < world.size(); ++other) {
    results.push_back(unpacked(
        receive_state(world.process(other), world.tag(tag), world.waiter(), world.comm())));
  }
  return results;
}

namespace {

/// The lives of all groups, and for each life those that follow it on its members.
struct Collected {
  std::vector<GroupLife> lives;
  std::vector<int> phases;  // of each
  std::vector<std::vector<std::size_t>> next;

  void follows(std::size_t before, std::size_t after) { next[before].push_back(after); }
};

/// Returns the lives in topological order: each after all that it follows, the earliest first.
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

/// Makes the lives of a walker follow each other, too: by phase and then by items left, which only
/// a loss increases, and lives with equal items in their present order.
void order_walkers(Collected& all) {
  std::vector<std::size_t> by_walker = in_order(all);
  std::ranges::stable_sort(by_walker, {}, [&](std::size_t i) {
    const GroupLife& life = all.lives[i];
    return std::tuple(life.walker, all.phases[i], -life.items_before, -life.items_after);
  });
  for (std::size_t i = 1; i < by_walker.size(); ++i) {
    const int walker = all.lives[by_walker[i]].walker;
    if (walker < 0 || walker != all.lives[by_walker[i - 1]].walker) continue;
    all.follows(by_walker[i - 1], by_walker[i]);
  }
}

}  // namespace

std::vector<GroupLife> lives_of(std::span<const RankResult> results) {
  // The same ranks may form a group several times: the nth life of a member with these ranks in a
  // phase belongs to the nth of the leader.
  Collected all;
  std::map<std::string, std::vector<std::size_t>> by_ranks;
  for (const RankResult& result : results) {
    std::map<std::string, std::size_t> seen;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < result.lives.size(); ++i) {
      const GroupLife& life = result.lives[i];
      const int phase = result.phases.empty() ? 0 : result.phases[i];
      const std::string key = fmt::format("{} in {}", text_of(life.ranks), phase);
      std::vector<std::size_t>& places = by_ranks[key];
      const std::size_t nth = seen[key]++;
      if (nth == places.size()) {
        places.push_back(all.lives.size());
        all.lives.push_back(life);
        all.phases.push_back(phase);
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

std::vector<RankResult> values_of(const std::map<int, RankResult>& results) {
  std::vector<RankResult> all;
  for (const auto& [rank, result] : results) all.push_back(result);
  return all;
}

void settle_after_losses(std::span<GroupLife> lives) {
  std::map<int, std::int64_t> left;
  for (GroupLife& life : lives | std::views::reverse) {
    if (life.ended == Turn::recover) life.items_after = life.walker >= 0 ? left[life.walker] : 0;
    left[life.walker] = life.items_before;
  }
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

std::vector<ChainEnd> chain_ends_of(std::span<const RankResult> results) {
  std::vector<ChainEnd> all;
  for (const RankResult& result : results) {
    all.insert(all.end(), result.chains.begin(), result.chains.end());
  }
  // A waiting chain without items ends on each leader that takes it.
  std::ranges::sort(all, {}, &ChainEnd::number);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<ChainFailure> failures_of(std::span<const RankResult> results,
                                      std::span<const ChainFailure> before) {
  std::vector<ChainFailure> all(before.begin(), before.end());
  for (const RankResult& result : results) {
    all.insert(all.end(), result.failures.begin(), result.failures.end());
  }
  drop_doubles(all);
  return all;
}

void drop_doubles(std::vector<ChainFailure>& failures) {
  std::ranges::stable_sort(failures, {}, &ChainFailure::number);
  const auto same = [](const ChainFailure& a, const ChainFailure& b) {
    return a.number == b.number;
  };
  failures.erase(std::unique(failures.begin(), failures.end(), same), failures.end());
}

double sum(std::span<const RankResult> results, double RankResult::Figures::*figure) {
  double all = 0;
  for (const RankResult& result : results) all += result.figures.*figure;
  return all;
}

double worst(double value, MPI_Comm world) {
  double most = 0;
  MPI_Reduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, 0, world);
  return most;
}

}  // namespace regroup
