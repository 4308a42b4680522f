// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// Who works, with how many ranks and until when, as far as one leader was told; and whom idle
/// ranks shall help. Times are on its own line: seconds of the forecast since the start.
class HelpTable {
 public:
  /// So many ranks for the group of `contact`.
  struct Share {
    int contact = 0;
    int ranks = 0;
  };

  /// `by_ends`: those that end last are helped, otherwise those with the fewest ranks.
  explicit HelpTable(bool by_ends) : by_ends_(by_ends) {}

  /// The chain's group works, with so many ranks, from now on or from a later time; `contact` is
  /// one of them, on `node`.
  void add(const Chain& chain, int contact, int ranks, const Forecast& forecast, double from = 0,
           int node = 0);

  /// The group of `chain` will be done with its last items, and is no more in the table. Answers
  /// when its `ranks` ranks are free.
  double free_at(const Chain& chain, int ranks, const Forecast& forecast);

  /// The group of `walker` has `items_left` items left, so now is not earlier than that.
  void hear(const Chain& chain, const Forecast& forecast);

  /// The group of `chain` gives its `ranks` ranks when its last items are done; it is no more in
  /// the table then. Answers whom they shall help: water filling, one rank at a time to the group
  /// in the greatest need, while one more rank helps it and all that it gets is worth a regrouping.
  /// `nodes`, where given: those of the ranks, which prefer who is on their own. Then shares come
  /// in the order in which they take ranks from left to right.
  std::vector<Share> spread(const Chain& chain, int ranks, const Forecast& forecast,
                            const std::vector<int>& nodes = {});

  /// The group of `walker`, if there is one, takes nobody in any more.
  void give_up(int walker);

  void append_to(std::vector<std::int64_t>& memory) const;

 private:
  struct Working {
    int contact;
    int ranks;
    double end;
    int node;  // of the contact
  };
  using Need = std::pair<double, int>;  // the more, the smaller; and the walker

  Need need(int walker, const Working& group) const {
    return {by_ends_ ? -group.end : group.ranks, walker};
  }

  using Needs = std::set<Need>;

  /// Those on `node`, where one of them still works at `free_at`; else all.
  const Needs& needs_near(int node, double free_at) const;
  void insert(int walker, const Working& group);
  bool erase(int walker, const Working& group);  // whether it could be helped

  bool by_ends_;
  double now_ = 0;
  std::map<int, Working> groups_;  // by walker
  Needs needs_;                    // of those that can be helped
  std::map<int, Needs> on_nodes_;  // the same, by node
};

/// The groups that there are when all ranks are divided by the loads of `groups`: a range for each
/// chain, in their order, and one for ranks that help nobody. Each has the note `note`.
std::vector<Group> divided_by_load(std::span<const Group> groups, std::int64_t note,
                                   const Forecast& forecast);

/// How many of `ranks` ranks each chain gets so that the last ends as early as it can: one each
/// where there is work, and then one at a time to the one that ends last, while that helps.
std::vector<int> shares_by_load(std::span<const Group> groups, int ranks, const Forecast& forecast);

/// What the groups of `spread` say to each other. Numbers of the message, and its ranks:
enum SpreadWord : std::int32_t {
  report,     ///< to rank 0: walker, items left; ranks of the group
  request,    ///< to rank 0: walker, items left, whose group refused help (-1: none); ranks
  help,       ///< from rank 0: whom to help, with how many ranks; the same once more, or zeros
  last_help,  ///< … and nobody else
  release,    ///< from rank 0: stop when done
  here,       ///< to who is to be helped: ranks of the part that is there
  take,       ///< answer: walker, items left; ranks of the new group
  gone,       ///< answer: no help is needed any more; walker
  next,       ///< from rank 0: the walker that waited, to be taken up
};

/// What rank 0 does for all: it keeps the table and the queue, and answers requests.
class Keeper {
 public:
  /// `known`: whether groups know how many items they have. `prefer_own_node`: whether ranks help
  /// on their own node first.
  Keeper(bool known, bool prefer_own_node)
      : known_(known), prefer_own_node_(prefer_own_node), table_(known) {}

  /// A report or request; `own`: what the keeper knows. Requests are answered when all groups have
  /// reported.
  void hear(const Message& message, const Knowledge& own);

  /// The keeper's own chain tells it the time.
  void hear(const Chain& own, const Forecast& forecast) {
    if (known_) table_.hear(own, forecast);
  }

  /// Whether the groups of all `ranks` ranks have reported.
  bool knows_all(int ranks) const { return reported_ == ranks; }

  /// The answers to all requests; where everybody waits, to everybody.
  std::vector<Outgoing> answers(const Knowledge& own);

  void append_to(std::vector<std::int64_t>& memory) const;

 private:
  void answer(const Message& request, const Knowledge& own, std::vector<Outgoing>& answers);
  /// The nodes of `ranks`; nothing where they make no difference.
  std::vector<int> nodes_of(const RankSet& ranks, const NodeMap& nodes) const;

  bool known_;
  bool prefer_own_node_;
  HelpTable table_;
  std::int64_t reported_ = 0;  // ranks
  std::vector<Message> requests_;
  std::vector<int> parked_;   // leaders of ranks that can help nobody
  std::int64_t waiting_ = 0;  // such ranks
  std::size_t given_ = 0;     // walkers of the queue
};

}  // namespace regroup
