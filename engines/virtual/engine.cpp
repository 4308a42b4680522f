// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/engine.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/virtual/losses.hpp"
#include "engines/virtual/phase.hpp"
#include "kernel/recovery.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Returns the progress of all chains when a loss ended the phase. Also corrects the lives of
/// groups with a lost rank, whose chains go back to a saved state.
Remains remains_of(const RunInput& run, PhaseEnd& end) {
  Remains remains{end.losses.lost_ranks(), end.groups, run.all_items()};
  const WalkerNames& names = run.walker_names();
  for (GroupLife& life : end.outcome.lives) {
    if (life.walker == Chain::none) continue;
    const auto chain = static_cast<std::size_t>(names.number(life.walker));
    std::int64_t& left = remains.items_left[chain];
    if (run.save_every > 0 && life.ended == Turn::recover && life.items_after > 0 &&
        remains.lost.overlaps(life.ranks)) {
      life.items_after += (run.chain_items[chain] - life.items_after) % run.save_every;
    }
    left = life.items_after;
  }
  return remains;
}

/// Returns the time of recovery. Takes the losses that happen before it.
Ticks recover_at(PhaseEnd& end, const Phase& phase) {
  const auto ready_at = [&] {
    const int left = phase.run->ranks - end.losses.lost_ranks().size();
    const double recovery_s = phase.costs.tell(left) + phase.costs.exchange(end.groups.size());
    const Ticks heard_at = after(end.losses.lost().back().at, ticks(phase.run->detection_s));
    return after(std::max(end.at, heard_at), ticks(recovery_s));
  };
  while (end.losses.next_at() <= ready_at()) end.losses.take();
  Ticks at = ready_at();
  for (const GroupLife& life : end.outcome.lives) {  // some groups form later than that
    while (seconds(at) < life.ended_s) at = std::max(at + 1, ticks(life.ended_s));
  }
  return at;
}

int in_whole_run(int rank, std::span<const int> ranks) {
  return ranks.empty() ? rank : ranks[static_cast<std::size_t>(rank)];
}

RankSet in_whole_run(const RankSet& set, std::span<const int> ranks) {
  std::vector<RankRange> ranges;
  for (const RankRange range : set.ranges()) {
    for (int rank = range.lo; rank <= range.hi; ++rank) {
      const int own = in_whole_run(rank, ranks);
      if (!ranges.empty() && ranges.back().hi + 1 == own) {
        ranges.back().hi = own;
      } else {
        ranges.push_back({own, own});
      }
    }
  }
  return RankSet::of(std::move(ranges));
}

/// Returns the phase after one that a loss ended, and adds the lost ranks to `outcome`.
Phase next_phase(const Phase& phase, PhaseEnd& end, Outcome& outcome) {
  const Ticks recovered_at = recover_at(end, phase);
  const Losses& losses = end.losses;
  const Remains remains = remains_of(*phase.run, end);
  const std::vector<int> left = survivors(phase.run->ranks, remains.lost);
  RunInput rest = rest_of(*phase.run, remains);
  rest.stream = hash_combined(phase.run->stream, left.size());
  Phase next{nullptr, phase.costs.on(rest.nodes), losses.among(left)};
  for (const RankSet& group : rest.groups) {
    next.begin_at.push_back(after(recovered_at, ticks(next.costs.create(group))));
  }
  for (const int rank : left) next.ranks.push_back(in_whole_run(rank, phase.ranks));
  const double all_go_on_s = seconds(std::ranges::max(next.begin_at));
  for (const Losses::Loss& loss : losses.lost()) {
    const double heard_s = seconds(after(loss.at, ticks(phase.run->detection_s)));
    LostRank& lost = outcome.lost.emplace_back();
    lost.rank = in_whole_run(loss.rank, phase.ranks);
    lost.at_s = heard_s;
    lost.recovered_s = all_go_on_s - heard_s;
    lost.reason = "a planned fault";
  }
  next.run = std::make_shared<const RunInput>(std::move(rest));
  return next;
}

/// Runs `phase` and adds it to `outcome`. Returns the next phase if a loss ended this one.
std::optional<Phase> add(const Phase& phase, const std::function<bool()>& stop, Outcome& outcome) {
  PhaseEnd end = run_phase(phase, stop);
  std::optional<Phase> next;
  if (end.by_loss) next = next_phase(phase, end, outcome);
  if (phase.ranks.empty()) outcome.lives = std::exchange(end.outcome.lives, {});  // first phase
  for (GroupLife& life : end.outcome.lives) {
    life.ranks = in_whole_run(life.ranks, phase.ranks);
    outcome.lives.push_back(std::move(life));
  }
  outcome.events += end.outcome.events;
  outcome.hand_over_bytes = std::max(outcome.hand_over_bytes, end.outcome.hand_over_bytes);
  outcome.hand_over_s += end.outcome.hand_over_s;
  return next;
}

}  // namespace

Outcome simulate(const RunInput& run, const Costs& costs, const std::function<bool()>& stop) {
  Phase phase{{std::shared_ptr<void>(), &run}, costs, Losses(run.faults)};
  if (!run.faults.empty() && run.chain_items.empty()) {
    RunInput counted = run;
    counted.chain_items = run.all_items();
    phase.run = std::make_shared<const RunInput>(std::move(counted));
  }
  Outcome outcome;
  while (auto rest = add(phase, stop, outcome)) phase = *std::move(rest);
  outcome.waiting = "virtual";
  outcome.where.groups_across_nodes = groups_across(run.nodes, outcome.lives);
  return outcome;
}

}  // namespace regroup
