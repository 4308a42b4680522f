// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "balancers/help.hpp"
#include "kernel/balancer.hpp"

namespace regroup {

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
