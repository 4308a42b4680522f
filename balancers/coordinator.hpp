// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "balancers/load_table.hpp"
#include "balancers/speed_model.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// The messages of `spread`: their numbers and, after a semicolon, their ranks.
enum SpreadWord : std::int32_t {
  report,     ///< to rank 0: walker, items left; ranks of the group
  request,    ///< to rank 0: walker, items left, walkers of the groups that refused help and that
              ///< gave the ranks back (-1: none); ranks
  help,       ///< from rank 0: a rank of a group to help, number of helping ranks, 1 if the group
              ///< is to report item times; the same for a second group, or zeros
  last_help,  ///< as `help`, for the last groups
  release,    ///< from rank 0: stop when done
  here,       ///< offer of help to a group: 1 if it is to report item times; ranks of the part
              ///< that offers help
  take,       ///< accepts `here`: walker, items left, Spread::Learning; ranks of the new group
  gone,       ///< refuses `here`: walker
  next,       ///< from rank 0: walker of the queue to take up
  shrink,     ///< from rank 0: number of ranks to keep, 1 to report item times, walker, size of the
              ///< group when all ranks sent to it have joined
  measured,   ///< to rank 0: a comparison of item times (Measured); ranks of the group
  heard,      ///< answers `measured`
  shrunk,     ///< to rank 0, answers `shrink`: walker; ranks of the group
};

// Messages contain real numbers as integers, in millionths.
std::int64_t number_of(double value);
double value_of(std::int64_t number);

/// A comparison of the group of `chain`, and the logarithm of its present item time in seconds.
struct Measured {
  Chain chain;
  SizeComparison comparison;
  double log_s = 0;

  Message to_message(const Group& group) const;
  static Measured of(const Message& message);
};

/// A trial of another number of ranks in one group.
struct SizeTrial {
  int walker = Chain::none;
  int before = 0;  ///< number of ranks before the trial
  int ranks = 0;
  double latest_end = 0;     ///< time in seconds since the start at which the trial fails
  SizeComparison told = {};  ///< reported by the group since the trial began

  bool grows() const { return ranks > before; }
  bool is_told_by(int measured) const { return grows() ? measured > before : measured < before; }
};

/// The part of rank 0: it keeps the table and the queue, answers requests, and learns which group
/// sizes are fast. For this, one group at a time tries an unknown size.
struct Coordinator {
  HelpTable table = {};
  SpeedModel model = {};
  std::int64_t reported = 0;         ///< number of ranks whose groups have reported
  std::vector<Message> unread = {};  ///< messages to be answered; excludes reports
  std::vector<Message> parked = {};  ///< requests of ranks that can help no group
  std::int64_t waiting = 0;          ///< number of ranks with unanswered requests
  std::int64_t unanswered = 0;       ///< number of unanswered orders to shrink
  std::size_t given = 0;             ///< number of assigned walkers of the queue
  std::optional<SizeTrial> trial = {};
  int latest_tried = Chain::none;   ///< walker of the latest trial
  bool smaller_untried = true;      ///< whether to look for a group to try a smaller size
  double longest = 0;               ///< number of items of the longest chain
  std::map<int, int> watched = {};  ///< number of groups told to report item times, by size
  bool divided = false;             ///< whether a division by loads was considered

  /// Handles a report; stores other messages for answers(). `own`: the knowledge of rank 0.
  void read(const Message& message, const Knowledge& own);

  /// Returns answers to all stored messages, orders to shrink and, if all ranks wait, releases.
  std::vector<Outgoing> answers(const Knowledge& own);

 private:
  class Answers;
};

}  // namespace regroup
