// SPDX-License-Identifier: BSD-3-Clause
//
// A balancer of the tests, for groups of two ranks at the start, that divides its groups:
//
//   working:   after every item, take in a rank that asks to help
//   finished:  divide into single ranks
//   single:    a rank of the group that began the finished walker asks one of the other groups
//              whether it may help, the first rank the next group and the second the one after it;
//              who has helped or was refused is free, and waits
//   in the end: a question goes from rank 0 to the last one, from each when it is free; then nobody
//              asks any more, and they stop from the last to the first
//
// Ranks are asked where they began, whoever leads them now.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

struct HelpingRules {
  bool asked = false;
  bool answered = false;
  bool questioned = false;  ///< rank 0: it has sent the question

  Decision decide(const Knowledge& known) {
    Decision decision;
    const Group& group = known.group;
    const int rank = group.leader();
    const auto tell = [&](int to, Word word, int about = 0) {
      decision.send.push_back(
          {to, {word, 0, group.ranks, {group.chain.walker, group.chain.items_left, about}}});
    };

    const Word heard = known.message ? static_cast<Word>(known.message->word) : nothing;
    if (heard == accept) {
      const Chain chain{static_cast<int>(known.message->numbers[0]), known.message->numbers[1]};
      answered = true;
      return {merged(united(group.ranks, known.message->ranks), chain), {}};
    }
    if (heard == request && group.chain.items_left > 0) {
      tell(known.message->from, accept);
      decision.next = merged(united(group.ranks, known.message->ranks), group.chain);
      return decision;
    }
    if (heard == request) tell(known.message->from, refuse);
    if (heard == refuse) answered = true;
    if (heard == stop) {
      if (rank > 0) tell(rank - 1, stop);
      decision.next = Stop{};
      return decision;
    }

    const bool single = group.chain.walker == Chain::none;
    const bool free = single && (answered || group.note.front() == helped);
    if (heard == question) {
      const int about = static_cast<int>(known.message->numbers[2]);
      if (!free || rank != about) {
        tell(about, question, about);  // until it is
      } else if (rank + 1 < known.ranks) {
        tell(rank + 1, question, rank + 1);
      } else {
        tell(rank - 1, stop);
        decision.next = Stop{};
        return decision;
      }
    }
    if (free && rank == 0 && !std::exchange(questioned, true)) tell(1, question, 1);

    if (group.chain.items_left > 0) {
      decision.next = Work{group.chain.items_left, true};
    } else if (!single) {
      decision.next = divided(group);
    } else {
      if (!free && !std::exchange(asked, true)) {
        tell((rank + (rank % 2 == 0 ? 2 : 3)) % known.ranks, request);
      }
      decision.next = Wait{};
    }
    return decision;
  }

  std::string_view word(std::int32_t number) const {
    constexpr std::array words{"nothing", "request", "accept", "refuse", "question", "stop"};
    return words.at(static_cast<std::size_t>(number));
  }

 private:
  enum Word : std::int32_t { nothing, request, accept, refuse, question, stop };
  static constexpr std::int64_t helped = 0;
  static constexpr std::int64_t asks = 1;

  static Regroup divided(const Group& group) {
    Regroup singles;
    for (const RankRange range : group.ranks.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) {
        const bool is_home = rank == group.chain.walker || rank == group.chain.walker + 1;
        singles.groups.push_back({{rank, rank}, {}, {is_home ? asks : helped}});
      }
    }
    return singles;
  }
};

using Helping = StatefulBalancer<HelpingRules>;

}  // namespace regroup
