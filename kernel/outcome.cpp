// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "kernel/places/place.hpp"
#include "kernel/regroup_statistics.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

RegroupStatistics regroup_statistics(std::span<const GroupLife> lives, int ranks) {
  // Each regrouping adds 1 to ranges of ranks: store the differences at their ends, then sum up.
  std::vector<std::int64_t> change(static_cast<std::size_t>(ranks) + 1, 0);
  for (const GroupLife& life : lives) {
    if (!life.regrouped()) continue;
    for (const RankRange range : life.ranks.ranges()) {
      ++change[static_cast<std::size_t>(range.lo)];
      --change[static_cast<std::size_t>(range.hi) + 1];
    }
  }

  std::map<std::int64_t, std::int64_t> processes;
  std::int64_t count = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    count += change[static_cast<std::size_t>(rank)];
    ++processes[count];
  }
  return regroup_statistics(std::move(processes));
}

RegroupStatistics regroup_statistics(std::map<std::int64_t, std::int64_t> all) {
  RegroupStatistics statistics;
  statistics.processes = std::move(all);
  if (statistics.processes.empty()) return statistics;

  double ranks = 0;
  double sum = 0;
  double squares = 0;
  for (const auto& [regroupings, processes] : statistics.processes) {
    ranks += static_cast<double>(processes);
    sum += static_cast<double>(regroupings) * static_cast<double>(processes);
  }
  statistics.average = sum / ranks;
  for (const auto& [regroupings, processes] : statistics.processes) {
    const double off = static_cast<double>(regroupings) - statistics.average;
    squares += off * off * static_cast<double>(processes);
  }
  statistics.deviation = std::sqrt(squares / ranks);
  statistics.min = statistics.processes.begin()->first;
  statistics.max = statistics.processes.rbegin()->first;
  return statistics;
}

RegroupEffects regroup_effects(std::span<const GroupLife> lives) {
  struct Chain {
    int first = 0;  // size of the first group
    int last = 0;
    double item_s = 0;  // in the last group that executed items
    std::int64_t items = 0;
  };
  RegroupEffects effects;
  std::map<int, Chain> chains;
  std::set<int> sizes;
  double log_ratios = 0;
  double weights = 0;
  for (const GroupLife& life : lives) {
    if (life.walker < 0) continue;
    const int ranks = life.ranks.size();
    const bool is_new = sizes.insert(ranks).second;
    if (is_new && life.regrouped()) ++effects.probes;
    const auto [entry, begins] = chains.try_emplace(life.walker, Chain{ranks, ranks, 0, 0});
    Chain& chain = entry->second;
    if (ranks < chain.last && life.began != Turn::recover) ++effects.undone;
    const bool grows = ranks > chain.last;
    chain.last = ranks;
    if (life.executed_max == 0) continue;
    const double item_s = life.item_s();
    if (grows && chain.item_s > 0 && item_s > 0) {
      const auto weight = static_cast<double>(std::min(chain.items, life.executed_max));
      log_ratios += weight * std::log(item_s / chain.item_s);
      weights += weight;
    }
    chain.item_s = item_s;
    chain.items = life.executed_max;
  }
  for (const auto& [walker, chain] : chains) effects.kept += chain.last > chain.first ? 1 : 0;
  if (weights > 0) effects.slowdown = std::exp(log_ratios / weights);
  return effects;
}

LossStatistics loss_statistics(std::span<const GroupLife> lives) {
  LossStatistics statistics;
  const auto recovers = [](const GroupLife& life) { return life.began == Turn::recover; };
  if (std::ranges::none_of(lives, recovers)) return statistics;

  struct Phase {
    double heard_s = std::numeric_limits<double>::infinity();
    double last_formed_s = 0;
  };
  std::vector<Phase> phases;
  std::vector<std::size_t> phase_of;  // last phase of each rank
  for (const GroupLife& life : lives) {
    if (life.ranks.empty()) continue;
    const auto ranks = static_cast<std::size_t>(life.ranks.hi()) + 1;
    if (phase_of.size() < ranks) phase_of.resize(ranks, 0);
    const std::size_t phase =
        phase_of[static_cast<std::size_t>(life.ranks.lo())] + (recovers(life) ? 1 : 0);
    if (phases.size() <= phase) phases.resize(phase + 1);
    for (const RankRange range : life.ranks.ranges()) {
      std::fill(phase_of.begin() + range.lo, phase_of.begin() + range.hi + 1, phase);
    }
    if (recovers(life)) {
      phases[phase].last_formed_s = std::max(phases[phase].last_formed_s, life.formed_s);
    }
    if (life.ended == Turn::recover) {
      phases[phase].heard_s = std::min(phases[phase].heard_s, life.ended_s);
      statistics.items_repeated += life.executed_max - (life.items_before - life.items_after);
    }
  }
  for (std::size_t phase = 0; phase + 1 < phases.size(); ++phase) {
    statistics.recovery_s += phases[phase + 1].last_formed_s - phases[phase].heard_s;
  }
  std::vector<RankRange> lost;
  for (int rank = 0; rank < static_cast<int>(phase_of.size()); ++rank) {
    if (phase_of[static_cast<std::size_t>(rank)] + 1 < phases.size()) lost.push_back({rank, rank});
  }
  statistics.ranks_lost = static_cast<int>(lost.size());
  statistics.lost = RankSet::of(std::move(lost));
  return statistics;
}

void to_json(nlohmann::json& json, Turn turn) { json = turn_words[static_cast<std::size_t>(turn)]; }
void from_json(const nlohmann::json& json, Turn& turn) {
  const auto* const found = std::ranges::find(turn_words, json.get<std::string>());
  if (found == turn_words.end()) throw std::invalid_argument("a turn that there is not");
  turn = static_cast<Turn>(found - turn_words.begin());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GroupLife, ranks, walker, began, ended, items_before,
                                   items_after, executed_min, executed_max, formed_s, busy_until_s,
                                   ended_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Moments, samples, mean, squared_deviations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChainReport, number, items, hash, quantities, draws)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChainFailure, number, item, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sample, number, began_s, value_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LostRank, rank, at_s, recovered_s, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outcome, lives, figures, samples, communicators_alive_max,
                                   communicators_left, place, waiting, library, chains_hash,
                                   walker_communicators, walker_communicators_s, hand_over_bytes,
                                   hand_over_s, reports, enough_items, failures, resumed_items,
                                   lost, cpu_s, clock_error_us, setup_s)

int groups_across(const NodeMap& nodes, std::span<const GroupLife> lives) {
  return static_cast<int>(std::ranges::count_if(
      lives, [&](const GroupLife& life) { return nodes.across(life.ranks); }));
}

std::string hash_of(std::vector<ChainEnd> chains) {
  std::ranges::sort(chains, {}, &ChainEnd::number);
  std::uint64_t hash = 0;
  for (const ChainEnd& chain : chains) {
    hash = hash_combined(hash, static_cast<std::uint64_t>(chain.number));
    hash = hash_combined(hash, static_cast<std::uint64_t>(chain.items));
    hash = hash_combined(hash, chain.hash);
  }
  return hash_digits(hash);
}

double Outcome::makespan_s() const {
  double last = 0;
  for (const GroupLife& life : lives) {
    if (life.executed_max > 0 || life.items_after < life.items_before)
      last = std::max(last, life.busy_until_s);
  }
  return last;
}

std::string to_json(const ChainReport& report) { return nlohmann::json(report).dump(); }

ChainReport report_from_json(const std::string& text) {
  return nlohmann::json::parse(text).get<ChainReport>();
}

std::string to_json(const Outcome& outcome) { return nlohmann::json(outcome).dump(); }

Outcome outcome_from_json(const std::string& text) {
  return nlohmann::json::parse(text).get<Outcome>();
}

}  // namespace regroup
