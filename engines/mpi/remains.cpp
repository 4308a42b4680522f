// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/remains.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engines/mpi/state_messages.hpp"
#include "kernel/check.hpp"

namespace regroup {

std::vector<std::byte> record_of(const BlackBox& box) {
  State bytes;
  Packer packer(bytes);
  packer.put(box.executed.load());
  packer.put(box.busy_until_s.load());
  packer.put(box.timed_out.load());
  packer.put_all(std::span<const std::byte>(box.record()));
  return bytes;
}

std::optional<LastRecord> last_record(std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::nullopt;
  Unpacker unpacker(bytes);
  const auto executed = unpacker.take<std::int64_t>();
  const auto busy_until_s = unpacker.take<double>();
  const bool timed_out = unpacker.take<bool>();
  const auto record = unpacker.take_all<std::byte>();
  if (record.empty()) return std::nullopt;
  LastRecord last{unpacked(record), 0, timed_out, {}};
  if (!last.result.lives.empty() && last.result.lives.back().ended != Turn::stop) {
    GroupLife& life = last.result.lives.back();
    life.executed_min += executed;
    life.executed_max += executed;
    life.busy_until_s = std::max(life.busy_until_s, busy_until_s);
    life.items_after = life.items_before - life.executed_max;
    life.ended = Turn::recover;
    life.ended_s = std::max(life.ended_s, life.busy_until_s);
  }
  return last;
}

std::optional<ChainFailure> failure_of(const LastRecord& lost, const RunInput& run) {
  if (!lost.timed_out || lost.result.lives.empty()) return std::nullopt;
  const GroupLife& life = lost.result.lives.back();
  if (life.walker == Chain::none) return std::nullopt;
  const int number = run.walker_names().number(life.walker);
  const std::int64_t all = run.chain_items[static_cast<std::size_t>(number)];
  return ChainFailure{number, all - life.items_after, lost.reason};
}

namespace {

/// Returns how often `ranks` formed a group in `phase`.
std::ptrdiff_t times_of(const RankResult& result, const RankSet& ranks, int phase) {
  std::ptrdiff_t times = 0;
  for (std::size_t i = 0; i < result.lives.size(); ++i) {
    times += result.phases[i] == phase && result.lives[i].ranks == ranks ? 1 : 0;
  }
  return times;
}

/// The last group of some survivors.
struct LastGroup {
  int phase = 0;
  int walker = Chain::none;
  std::vector<RankRange> ranks;  // its surviving ranks
};

/// Returns the index of the life in `result` that is of the same group as the last life of `other`.
std::optional<std::size_t> same_life(const RankResult& result, const RankResult& other) {
  const int phase = other.phases.back();
  const RankSet& ranks = other.lives.back().ranks;
  std::ptrdiff_t nth = times_of(other, ranks, phase);
  for (std::size_t i = 0; i < result.lives.size(); ++i) {
    if (result.phases[i] == phase && result.lives[i].ranks == ranks && --nth == 0) return i;
  }
  return std::nullopt;
}

/// Returns the first group that others formed with `lost` after the loss, or nullptr. This happens
/// because not every strategy needs all members to create a communicator.
const GroupLife* life_without(const std::map<int, RankResult>& results, int lost) {
  const RankResult& own = results.at(lost);
  const int phase = own.phases.back();
  const GroupLife* first = nullptr;
  if (own.lives.back().stopped()) return first;
  for (const auto& [rank, result] : results) {
    std::map<std::string, std::ptrdiff_t> times;
    for (std::size_t i = 0; i < result.lives.size(); ++i) {
      const GroupLife& life = result.lives[i];
      if (result.phases[i] != phase || !life.ranks.contains(lost)) continue;
      if (++times[text_of(life.ranks)] <= times_of(own, life.ranks, phase)) continue;
      if (first == nullptr || life.formed_s < first->formed_s) first = &life;
    }
  }
  return first;
}

}  // namespace

void complete_last_lives(std::map<int, RankResult>& results, int lost) {
  RankResult& own = results.at(lost);
  if (own.lives.empty()) return;
  for (const auto& [rank, result] : results) {
    if (rank == lost || !own.lives.back().ranks.contains(rank)) continue;
    const auto place = same_life(result, own);
    if (!place || result.lives[*place].ended == Turn::recover) continue;
    GroupLife& life = own.lives.back();
    const double formed_s = life.formed_s;
    life = result.lives[*place];
    life.formed_s = formed_s;
    break;
  }
  while (const GroupLife* next = life_without(results, lost)) {
    GroupLife& last = own.lives.back();
    last.ended = next->began;
    last.ended_s = next->formed_s;
    GroupLife joined = *next;
    joined.executed_min = joined.executed_max = 0;
    joined.busy_until_s = joined.formed_s;
    if (joined.ended != Turn::recover) {
      joined.executed_min = next->executed_min;
      joined.executed_max = next->executed_max;
    }
    own.lives.push_back(std::move(joined));
    own.phases.push_back(own.phases.back());
  }
}

void drop_void_phases(std::map<int, RankResult>& results, int ranks) {
  std::map<int, int> began;  // number of ranks, by phase
  for (const auto& [rank, result] : results) {
    const std::set<int> phases(result.phases.begin(), result.phases.end());
    for (const int phase : phases) ++began[phase];
  }
  // The number of a phase is the number of losses before it.
  const auto is_void = [&](int phase) { return phase > 0 && began[phase] < ranks - phase; };
  for (auto& [rank, result] : results) {
    for (std::size_t i = result.lives.size(); i-- > 0;) {
      if (!is_void(result.phases[i])) continue;
      result.phases.erase(result.phases.begin() + static_cast<std::ptrdiff_t>(i));
      result.lives.erase(result.lives.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

Remains remains_of(const RunInput& run, const World& world,
                   const std::map<int, RankResult>& results) {
  std::map<std::tuple<int, std::string, std::ptrdiff_t>, LastGroup> last_groups;
  for (int rank = 0; rank < world.size(); ++rank) {
    const int process = world.process(rank);
    const RankResult& result = results.at(process);
    const auto& lives = result.lives;
    check(!lives.empty(), "a rank has no group");
    const int phase = result.phases.back();
    const std::ptrdiff_t nth = times_of(result, lives.back().ranks, phase);
    LastGroup& group = last_groups[{phase, text_of(lives.back().ranks), nth}];
    group.phase = phase;
    group.walker = lives.back().walker;
    group.ranks.push_back({process, process});
  }
  std::vector<LastGroup> groups;
  for (auto& [name, group] : last_groups) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, std::greater(), &LastGroup::phase);

  Remains remains;
  for (LastGroup& group : groups) {
    remains.groups.push_back({RankSet::of(std::move(group.ranks)), {group.walker, 0}, {}});
  }

  remains.items_left = run.all_items();
  const std::vector<RankResult> all = values_of(results);
  const std::vector<GroupLife> lives = lives_of(all);
  std::map<int, const GroupLife*> last;
  for (const GroupLife& life : lives) {
    if (life.walker != Chain::none) last[life.walker] = &life;
  }
  for (const auto& [walker, life] : last) {
    std::int64_t& items =
        remains.items_left[static_cast<std::size_t>(run.walker_names().number(walker))];
    if (life->ended != Turn::recover) {
      items = life->items_after;
      continue;
    }
    // Counts the members that had joined this group; the others have executed no items in it.
    const std::string name = text_of(life->ranks);
    int members = 0;
    for (const RankResult& result : all) {
      members += std::ranges::any_of(result.lives, [&](const GroupLife& own) {
        return own.walker == walker && own.items_before == life->items_before &&
               text_of(own.ranks) == name;
      });
    }
    items = life->items_before - (members == life->ranks.size() ? life->executed_min : 0);
  }
  return remains;
}

State packed(const RemainsOfRun& found) {
  State state;
  Packer packer(state);
  packer.put_all(std::span<const std::int64_t>(found.remains.items_left));
  packer.put_all(std::span<const std::int64_t>(found.executed_before));
  put(found.failed, packer);
  packer.put(found.remains.groups.size());
  for (const Group& group : found.remains.groups) {
    packer.put(group.chain.walker);
    packer.put_all(group.ranks.ranges());
  }
  return state;
}

Remains unpacked_remains(std::span<const std::byte> state, WalkerSource& walkers) {
  Unpacker unpacker(state);
  Remains remains;
  remains.items_left = unpacker.take_all<std::int64_t>();
  walkers.executed_before = unpacker.take_all<std::int64_t>();
  walkers.failed = take_failures(unpacker);
  remains.groups.resize(unpacker.take<std::size_t>());
  for (Group& group : remains.groups) {
    group.chain.walker = unpacker.take<int>();
    group.ranks = RankSet::of(unpacker.take_all<RankRange>());
  }
  return remains;
}

void broadcast(State& state, const World& world, Tag tag) {
  if (world.rank() != 0) {
    state = receive_state(world.process(0), world.tag(tag), world.waiter(), world.comm());
    return;
  }
  for (int to = 1; to < world.size(); ++to) {
    send_state(state, world.process(to), world.tag(tag), world.waiter(), world.comm());
  }
}

}  // namespace regroup
