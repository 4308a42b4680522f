// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "balancers/load_table.hpp"
#include "balancers/speed_model.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// The messages of the groups of `spread`, with their numbers and ranks.
enum SpreadWord : std::int32_t {
  report,     ///< to rank 0: walker, items left; ranks of the group
  request,    ///< to rank 0: walker, items left, whose group refused help (-1: none), whose group
              ///< gave the ranks back (-1: none); ranks
  help,       ///< from rank 0: a group to help, with how many ranks, 1 if it is to tell what items
              ///< take before and after; another one, or zeros
  last_help,  ///< … and no more groups
  release,    ///< from rank 0: stop when done
  here,       ///< to a group that is to be helped: 1 if it is to tell what items take; ranks of the
              ///< part that offers help
  take,       ///< answer: walker, items left, what is watched; ranks of the new group
  gone,       ///< answer: help is not needed any more; walker
  next,       ///< from rank 0: the walker from the queue that is to be taken up
  shrink,     ///< from rank 0: give all ranks back but so many; 1: and tell what items take before
              ///< and after; walker; its ranks once all that were sent to help it have joined
  measured,   ///< to rank 0: what is watched (Measured); ranks of the group
  heard,      ///< answer of rank 0
  shrunk,     ///< to rank 0: answer to shrink: walker; ranks of the group
};

// Messages contain millionths of real numbers.
std::int64_t number_of(double value);
double value_of(std::int64_t number);

/// A comparison of the group of `chain`, and the logarithm of the seconds of an item now.
struct Measured {
  Chain chain;
  SizeComparison comparison;
  double log_s = 0;

  Message to_message(const Group& group) const;
  static Measured of(const Message& message);
};

/// A group tries another number of ranks.
struct SizeTrial {
  int walker = Chain::none;
  int before = 0;  ///< ranks
  int ranks = 0;
  double latest_end = 0;     ///< seconds since the start; the trial has failed then
  SizeComparison told = {};  ///< by the group, since the trial began

  bool grows() const { return ranks > before; }
  bool is_told_by(int measured) const { return grows() ? measured > before : measured < before; }
};

/// What rank 0 does for all groups: it keeps the table and the queue, answers requests, and finds
/// out which sizes are good: one group at a time tries a size that nobody knows.
struct Coordinator {
  HelpTable table = {};
  SpeedModel model = {};
  std::int64_t reported = 0;         ///< ranks whose groups have reported
  std::vector<Message> unread = {};  ///< all but reports
  std::vector<Message> parked = {};  ///< requests of ranks that can help no group
  std::int64_t waiting = 0;          ///< such ranks
  std::int64_t untold = 0;           ///< orders to shrink without an answer
  std::size_t given = 0;             ///< walkers of the queue
  std::optional<SizeTrial> trial = {};
  int latest_tried = Chain::none;   ///< walker of the latest trial
  bool smaller_untried = true;      ///< a group may try a smaller size than all before
  double longest = 0;               ///< items of the longest chain
  std::map<int, int> watched = {};  ///< groups that tell what items take, by size
  bool divided = false;             ///< all ranks by loads, if that pays

  /// From another group; `own`: the knowledge of rank 0. The rest is read when all groups have
  /// reported.
  void read(const Message& message, const Knowledge& own);

  /// The answers to all requests, what groups are told to change, and, if all ranks wait, releases.
  std::vector<Outgoing> answers(const Knowledge& own);

 private:
  class Answers;
};

}  // namespace regroup
