// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/groups/node_map.hpp"
#include "kernel/groups/rank_set.hpp"
#include "kernel/places/place.hpp"

namespace regroup {

/// How a group comes to be, and how it ends.
enum class Turn : std::uint8_t {
  start,    ///< of the run
  regroup,  ///< its ranks regroup
  next,     ///< the same ranks, with the communicator that they have, take up a walker that waited
  stop,     ///< its ranks leave the run
};
inline constexpr std::array<std::string_view, 4> turn_words{"start", "regroup", "next", "stop"};
inline std::string_view word_of(Turn turn) { return turn_words[static_cast<std::size_t>(turn)]; }

/// One walker group from its forming to its end. Times are seconds since the common start.
struct GroupLife {
  RankSet ranks;
  int walker = 0;                 ///< the walker it executed (queue.hpp has their names); -1: none
  Turn began = Turn::start;       ///< not stop
  Turn ended = Turn::regroup;     ///< not start
  std::int64_t items_before = 0;  ///< items left of the walker when the group formed
  std::int64_t items_after = 0;   ///< … and when it ended
  std::int64_t executed_min = 0;  ///< items that a member executed: fewest over the members
  std::int64_t executed_max = 0;  ///< … and most
  double formed_s = 0;            ///< the leader's communicator was ready
  double busy_until_s = 0;        ///< end of the last item, over all members; formed_s if none
  double ended_s = 0;             ///< the leader turned to what comes next, or stopped

  bool regrouped() const { return began == Turn::regroup; }
  bool stopped() const { return ended == Turn::stop; }
  friend bool operator==(const GroupLife&, const GroupLife&) = default;
};

/// What a chain has come to.
struct ChainEnd {
  int number = 0;          ///< of the chain: 0, 1, … in the run
  std::int64_t items = 0;  ///< that were executed
  std::uint64_t hash = 0;  ///< of its last state and of what every item came to
  friend bool operator==(const ChainEnd&, const ChainEnd&) = default;
};

/// What a walker observed in some of its items, one after the other.
struct ChainReport {
  int number = 0;             ///< of the chain
  std::int64_t items = 0;     ///< of the chain that were executed at its end
  std::int64_t samples = 0;   ///< at least one
  double mean = 0;            ///< of the samples
  double variance = 0;        ///< … about their mean
  std::int64_t proposed = 0;  ///< moves
  std::int64_t accepted = 0;  ///< of them
  std::uint64_t hash = 0;     ///< of what every item of the chain had come to by then
  friend bool operator==(const ChainReport&, const ChainReport&) = default;
};

/// The sixteen digits that name what all `chains` have come to, in whatever order they come.
std::string hash_of(std::vector<ChainEnd> chains);

/// A time that was taken again and again.
struct Sample {
  std::int64_t number = 1;  ///< from 1 on
  double began_s = 0;       ///< since the common start
  double value_s = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};
using Samples = std::map<std::string, std::vector<Sample>>;  ///< by what was timed

/// What came out of one run, or of one measurement.
struct Outcome {
  /// Of a run: every group that ever existed, in an order in which each comes after those that it
  /// formed of, and after whoever had its walker before.
  std::vector<GroupLife> lives;
  std::map<std::string, double> figures;  ///< of a measurement: those that have a meaning, by name
  Samples samples;                  ///< … behind them, as far as they are kept (sampled.hpp)
  int communicators_alive_max = 0;  ///< alive at once in one process, most over the processes
  int communicators_left = 0;       ///< alive at the end, most over the processes
  Place place;              ///< without nodes where simulated, and where a row told the rest
  Whereabouts where;        ///< what the launcher, or a row, tells of that
  std::string waiting;      ///< how processes waited: direct, polite or wrapper
  std::string library;      ///< the MPI library and its version
  std::string chains_hash;  ///< of all chains, by their numbers; empty where they have no state
  std::int64_t hand_over_bytes = 0;  ///< the largest state that was handed over
  double hand_over_s = 0;            ///< that leaders spent with it, in all
  std::vector<ChainReport> reports;  ///< of all chains, each chain's in the order of its items
  /// Items of a chain, a multiple of those between two reports, after which all had observed
  /// enough, so that the run ended; what they did beyond is in the lives alone. 0 where it did not.
  std::int64_t enough_items = 0;
  std::int64_t resumed_items = 0;  ///< that an earlier run had executed, of all chains
  double cpu_s = 0;  ///< processor time of all ranks from the common start on; 0 where simulated
  double clock_error_us = 0;  ///< times of other hosts than rank 0's are wrong by no more
  double setup_s = 0;         ///< from the processes' start to the common start, in seconds
  std::uint64_t events = 0;   ///< that the virtual engine took from its queue; else 0

  /// From the common start to the end of the last item anywhere, in seconds.
  double makespan_s() const;
};

/// How many of the groups had ranks on several of `nodes`.
int groups_across(const NodeMap& nodes, std::span<const GroupLife> lives);

std::string to_json(const Outcome& outcome);
/// Throws where `text` is no outcome. What it tells may still be impossible: see audit.hpp.
Outcome outcome_from_json(const std::string& text);

}  // namespace regroup
