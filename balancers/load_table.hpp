// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// Which groups work, with how many ranks and until when, as reported to rank 0. Times are seconds
/// of the forecast since the start.
struct HelpTable {
  /// So many ranks for the group of `contact`.
  struct Share {
    int contact = 0;
    int ranks = 0;
  };

  struct Working {
    int contact = 0;
    int ranks = 0;
    double end = 0;
    int node = 0;  ///< of the contact
  };

  using Need = std::pair<double, int>;  ///< the greater, the smaller; and the walker
  using Needs = std::set<Need>;

  bool by_ends = true;  ///< groups that end last are helped, otherwise those with the fewest ranks
  int most_ranks = 0;   ///< groups of more were measured to be slower; 0: none were
  double now = 0;
  std::map<int, Working> groups = {};       ///< by walker
  Needs needs = {};                         ///< of groups that can be helped
  std::map<int, Needs> needs_by_node = {};  ///< the same

  /// The group of `chain` works with so many ranks, from now on or from a later time; `contact` is
  /// one of them, on `node`.
  void add(const Chain& chain, int contact, int ranks, const Forecast& forecast, double from = 0,
           int node = 0);

  /// Removes the group of `chain`, which is about to execute its last items. Returns the time at
  /// which its `ranks` ranks are free.
  double remove(const Chain& chain, int ranks, const Forecast& forecast);

  /// The group of `chain` has so many items left, so now is not earlier than that.
  void advance(const Chain& chain, const Forecast& forecast);

  /// Removes the group of `chain`, and returns which groups its `ranks` ranks are to help then:
  /// water filling, one rank at a time to the group in the greatest need, while that helps and is
  /// worth a regrouping. Ranks prefer groups on their own node, if `nodes` of the ranks are given;
  /// shares then take ranks from left to right.
  std::vector<Share> distribute(const Chain& chain, int ranks, const Forecast& forecast,
                                const std::vector<int>& nodes = {});

  /// The group of `walker`, if there is one, accepts no more help.
  void exclude(int walker);

 private:
  Need need(int walker, const Working& group) const {
    return {by_ends ? -group.end : group.ranks, walker};
  }
  /// Those on `node`, if one of them still works at `free_at`; else all.
  const Needs& needs_near(int node, double free_at) const;
  void insert(int walker, const Working& group);
  bool erase(int walker, const Working& group);  // whether it could be helped
};

/// The best of the sizes `measured` and of another one, if given: items took least.
std::optional<ItemTimes> best_of(std::span<const ItemTimes> measured,
                                 std::optional<ItemTimes> best = std::nullopt);

/// Whether a group is larger than is good.
struct SizeTrial {
  int better = 0;        ///< a smaller number of ranks, whose items took clearly less; 0: none
  bool is_open = false;  ///< more items are to tell
};
/// Of a group of `ranks` ranks, by what was measured of its size and of smaller ones; `elsewhere`:
/// by others, of a size that is not in `measured`. It is slower if its items take 3 % longer, and
/// another two standard errors. `measured` ascends by size.
SizeTrial trial_of(int ranks, std::span<const ItemTimes> measured,
                   const std::optional<ItemTimes>& elsewhere = std::nullopt);
/// Items that a group executes at once while its trial is open.
inline constexpr std::int64_t tried_at_once = 8;

/// The groups after a division of all ranks by the loads of `groups`: a range for each chain, in
/// their order, and one for ranks that help no chain. Each has the note `note`.
std::vector<Group> divided_by_load(std::span<const Group> groups, std::int64_t note,
                                   const Forecast& forecast);

/// How many of `ranks` ranks each chain gets so that the last one ends as early as it can: one for
/// each chain with work, and then one at a time to the chain that ends last, while that helps.
std::vector<int> shares_by_load(std::span<const Group> groups, int ranks, const Forecast& forecast);

/// The messages of the groups of `spread`, with their numbers and ranks.
enum SpreadWord : std::int32_t {
  report,     ///< to rank 0: walker, items left; ranks of the group
  request,    ///< to rank 0: walker, items left, whose group refused help (-1: none), the number
              ///< of ranks that was measured to be better than more (0: none); ranks
  help,       ///< from rank 0: a group to help, with how many ranks; another one, or zeros
  last_help,  ///< … and no more groups
  release,    ///< from rank 0: stop when done
  here,       ///< to a group that is to be helped: ranks of the part that offers help
  take,  ///< answer: walker, items left, what was measured before (Spread::Tried); ranks of the
         ///< new group
  gone,  ///< answer: help is not needed any more; walker
  next,  ///< from rank 0: the walker from the queue that is to be taken up
};

/// What rank 0 does for all groups: it keeps the table and the queue, and answers requests.
struct Coordinator {
  bool prefer_own_node = false;
  HelpTable table;
  std::int64_t reported = 0;  ///< ranks whose groups have reported
  std::vector<Message> requests = {};
  std::vector<int> parked = {};  ///< leaders of ranks that can help no group
  std::int64_t waiting = 0;      ///< such ranks
  std::size_t given = 0;         ///< walkers of the queue

  /// A report or request; `own`: the knowledge of rank 0. Requests are answered when all groups
  /// have reported.
  void read(const Message& message, const Knowledge& own);

  /// The answers to all requests and, if all ranks wait, to all groups.
  std::vector<Outgoing> answers(const Knowledge& own);

 private:
  void answer(const Message& request, const Knowledge& own, std::vector<Outgoing>& answers);
  /// The nodes of `ranks`; empty where they make no difference.
  std::vector<int> nodes_of(const RankSet& ranks, const NodeMap& nodes) const;
};

}  // namespace regroup
