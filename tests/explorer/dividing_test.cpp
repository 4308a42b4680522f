// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"
#include "tests/explorer/twisted.hpp"
#include "tests/long_tests.hpp"

namespace regroup::dividing_test {
using testing::HasSubstr;

// A test balancer that divides its groups, which start with two ranks each:
//
//   working:   after each item, accepts a rank that requests to help
//   finished:  divides into single ranks
//   single:    each rank of the walker's initial group requests to help another group: the first
//              rank the next group, the second rank the group after that; a rank that has helped or
//              was refused is free, and waits
//   end:       a question passes from rank 0 to the last rank, forwarded by each rank once it is
//              free; then no requests are left, and the ranks stop from the last to the first
//
// A request is sent to the first initial rank of a group, and reaches the leader of that rank.

class Helping final : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
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
      answered_ = true;
      return {merged(united(group.ranks, known.message->ranks), chain), {}};
    }
    if (heard == request && group.chain.items_left > 0) {
      tell(known.message->from, accept);
      decision.next = merged(united(group.ranks, known.message->ranks), group.chain);
      return decision;
    }
    if (heard == request) tell(known.message->from, refuse);
    if (heard == refuse) answered_ = true;
    if (heard == stop) {
      if (rank > 0) tell(rank - 1, stop);
      decision.next = Stop{};
      return decision;
    }

    const bool single = group.chain.walker == Chain::none;
    const bool free = single && (answered_ || group.note.front() == helped);
    if (heard == question) {
      const int about = static_cast<int>(known.message->numbers[2]);
      if (!free || rank != about) {
        tell(about, question, about);  // repeated until the rank is free
      } else if (rank + 1 < known.ranks) {
        tell(rank + 1, question, rank + 1);
      } else {
        tell(rank - 1, stop);
        decision.next = Stop{};
        return decision;
      }
    }
    if (free && rank == 0 && !std::exchange(questioned_, true)) tell(1, question, 1);

    if (group.chain.items_left > 0) {
      decision.next = Work{group.chain.items_left, true};
    } else if (!single) {
      decision.next = divided(group);
    } else {
      if (!free && !std::exchange(asked_, true)) {
        tell((rank + (rank % 2 == 0 ? 2 : 3)) % known.ranks, request);
      }
      decision.next = Wait{};
    }
    return decision;
  }

  std::string_view word(std::int32_t number) const override {
    constexpr std::array words{"nothing", "request", "accept", "refuse", "question", "stop"};
    return words.at(static_cast<std::size_t>(number));
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Helping>(*this); }
  std::vector<std::int64_t> memory() const override { return {asked_, answered_, questioned_}; }

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

  bool asked_ = false;
  bool answered_ = false;
  bool questioned_ = false;  // rank 0 has sent the question
};

namespace {

// Tests balancers that divide groups: correct ones, and the explorer's report of a single mistake.

using Starts = std::vector<std::vector<std::int64_t>>;

void expect_right(const Balancer& balancer, const Starts& starts) {
  const Exploration seen = explore(balancer, starts, 2);
  EXPECT_EQ(seen.violation, std::nullopt);
  EXPECT_GE(seen.finals, 1u);
  fmt::print("{} starts, {} states, {} steps, {} ends\n", starts.size(), seen.states, seen.steps,
             seen.finals);
}

// ---- divisions by a single group

TEST(Helping, IsRightInEveryOrderOfEvents) {
  expect_right(Helping(), long_tests() ? all_starts(3, 1) : Starts{{0, 0, 1}});
}

/// Returns the groups of a division, or nullptr if the decision is none.
std::vector<Group>* division(Decision& decision) {
  auto* regroup = std::get_if<Regroup>(&decision.next);
  return regroup != nullptr && regroup->groups.size() > 1 ? &regroup->groups : nullptr;
}

/// Returns the group formed by a merge, or nullptr if the decision is none.
Group* merge(Decision& decision) {
  auto* regroup = std::get_if<Regroup>(&decision.next);
  return regroup != nullptr && regroup->groups.size() == 1 ? &regroup->groups.front() : nullptr;
}

bool hears(const Knowledge& known, const Inner& inner, std::string_view word) {
  return known.message && inner->word(known.message->word) == word;
}

bool says(const Decision& decision, const Inner& inner, std::string_view word) {
  return !decision.send.empty() && inner->word(decision.send.front().message.word) == word;
}

/// Expects violation `what` with three groups of two ranks, of which only the last has an item.
void expect_twist(Twisted::Twist twist, const std::string& what) {
  EXPECT_THAT(
      counterexample(Twisted(std::make_unique<Helping>(), std::move(twist)), Starts{{0, 0, 1}}, 2),
      HasSubstr(what));
}

/// Expects violation `what` if `change` is applied to each decision.
void expect_change(void (*change)(Decision&, const Inner&, const Knowledge&),
                   const std::string& what) {
  expect_twist(changing(change), what);
}

/// Expects violation `what` if a pair with items left divides into ranks with these `chains`.
void expect_early_division(std::pair<Chain, Chain> (*chains)(Chain), const std::string& what) {
  const auto twist = [chains](Inner& inner, const Knowledge& known) -> Decision {
    const Group& group = known.group;
    if (group.chain.items_left == 0 || group.ranks.size() != 2) return inner->decide(known);
    const auto [left, right] = chains(group.chain);
    return {Regroup{{{group.ranks.slice(0, 1), left, {0}}, {group.ranks.slice(1, 1), right, {0}}}},
            {}};
  };
  expect_twist(twist, what);
}

constexpr const char* standstill = "nothing can happen any more";

TEST(TheExplorerOfDivisions, CatchesDivisionsIntoWrongRanks) {
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge&) {
        if (auto* groups = division(decision)) groups->pop_back();
      },
      "group 0-1 becomes group 0, and some of its ranks are lost");
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge& known) {
        if (auto* groups = division(decision)) groups->front().ranks = known.group.ranks;
      },
      "group 0-1, group 1 form, and have a rank in common");
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge& known) {
        auto* groups = division(decision);
        if (groups != nullptr && known.group.leader() == 0) groups->back().ranks = {1, 2};
      },
      "group 0-1 regroups to group 0 with no chain, group 1-2");
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge&) {
        if (auto* groups = division(decision)) groups->push_back({});
      },
      "group 0-1 forms group , which is outside the 6 ranks of the run");
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge& known) {
        auto* groups = division(decision);
        if (groups != nullptr && known.group.ranks.hi() == 5) groups->back().ranks = {5, 6};
      },
      "forms group 5-6, which is outside the 6 ranks of the run");
}

TEST(TheExplorerOfDivisions, CatchesDivisionsThatLoseDoubleDivideOrMakeUpAChain) {
  expect_early_division([](Chain) { return std::pair<Chain, Chain>(); },
                        "group 4, group 5 forms, and 1 items of walker 4 are lost that group 4-5");
  expect_early_division([](Chain chain) { return std::pair(chain, chain); },
                        "group 4, group 5 form, and walker 4 is in two of them");
  expect_early_division(
      [](Chain chain) {
        return std::pair(Chain{chain.walker, chain.items_left - 1}, Chain{chain.walker + 1, 1});
      },
      "group 4, group 5 forms, and 1 items of walker 4");
  expect_early_division(
      [](Chain chain) {
        return std::pair(chain, Chain{5, 1});
      },
      "group 5 takes over 1 items of walker 5, which none of group 4-5 has");
}

TEST(TheExplorerOfDivisions, CatchesChainsThatAreHandedOverWrongly) {
  expect_change(
      [](Decision& decision, const Inner& inner, const Knowledge&) {
        if (!says(decision, inner, "accept")) return;
        ++decision.send.front().message.numbers[1];
        ++merge(decision)->chain.items_left;
      },
      "1 items of walker 4 are lost that group 4-5 had left");
  // Both helper and worker keep the chain.
  expect_change(
      [](Decision& decision, const Inner& inner, const Knowledge& known) {
        const bool accepts = says(decision, inner, "accept");
        const Group* whole = merge(decision);
        if (whole == nullptr || !(accepts || hears(known, inner, "accept"))) return;
        const RankSet helper = accepts ? known.message->ranks : known.group.ranks;
        const RankSet worker = accepts ? known.group.ranks : known.message->ranks;
        const Chain chain = whole->chain;
        decision.next = Regroup{{{worker, chain, {0}}, {helper, chain, {0}}}};
      },
      "form, and walker 4 is in two of them");
  // Only the accepting group decides that its chain moves.
  expect_change(
      [](Decision& decision, const Inner& inner, const Knowledge& known) {
        if (!says(decision, inner, "accept")) return;
        const Chain chain = known.group.chain;
        decision.next = Regroup{{{known.group.ranks, {}, {0}}, {known.message->ranks, chain, {0}}}};
      },
      standstill);
}

TEST(TheExplorerOfDivisions, CatchesAHelperThatForgetsTheGap) {
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge&) {
        if (Group* whole = merge(decision)) whole->ranks = {whole->ranks.lo(), whole->ranks.hi()};
      },
      standstill);
}

TEST(TheExplorerOfDivisions, CatchesAHelperThatAsksBeyondTheRun) {
  expect_change(
      [](Decision& decision, const Inner& inner, const Knowledge& known) {
        if (says(decision, inner, "request")) decision.send.front().to = known.group.leader() + 3;
      },
      "a message goes to rank 6, which does not exist");
}

TEST(TheExplorerOfDivisions, CatchesARequestThatIsForgottenInADivision) {
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge&) {
        if (division(decision) != nullptr) decision.send.clear();
      },
      standstill);
}

TEST(TheExplorerOfDivisions, CatchesARankThatStopsWhenItIsFree) {
  expect_change(
      [](Decision& decision, const Inner& inner, const Knowledge& known) {
        if (hears(known, inner, "refuse") && known.group.leader() > 0) decision.next = Stop{};
      },
      "which has stopped");
}

TEST(TheExplorerOfDivisions, CatchesAGroupThatRegroupsForEver) {
  expect_change(
      [](Decision& decision, const Inner&, const Knowledge& known) {
        if (division(decision) != nullptr) decision.next = Regroup{{known.group}};
      },
      "from here on not everybody can stop");
}

TEST(TheExplorerOfDivisions, CatchesHalvesThatAreToldNothing) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    // Without a note, a new leader waits indefinitely for instructions.
    if (known.group.chain == Chain{} && known.group.note.empty()) return {Wait{}, {}};
    Decision decision = inner->decide(known);
    if (auto* groups = division(decision)) {
      for (Group& group : *groups) group.note.clear();
    }
    return decision;
  };
  expect_twist(twist, standstill);
}

// ---- divisions in an exchange

/// Executes an item and exchanges loads. Ranks of a group without items help the other groups; when
/// no group has items, all merge and stop.
class HelpingInExchanges final : public Balancer {
 public:
  using Mistake = void (*)(std::vector<Group>& planned);

  explicit HelpingInExchanges(Mistake mistake = nullptr) : mistake_(mistake) {}

  Decision decide(const Knowledge& known) override {
    if (known.group.ranks.size() == known.ranks) return {Stop{}, {}};
    worked_ = known.group.chain.items_left > 0 && !worked_;
    if (worked_) return {Work{1, false}, {}};
    return {Exchange{}, {}};
  }

  std::vector<Group> plan(std::span<const Group> groups, const Forecast&) const override {
    std::vector<Group> planned;
    RankSet free;
    for (const Group& group : groups) {
      if (group.chain.items_left > 0) {
        planned.push_back(group);
      } else {
        free = united(free, group.ranks);
      }
    }
    if (planned.empty()) return {{free, {}, {}}};
    if (planned.size() == 1 && free.size() > 2) {
      planned.push_back({free, {}, {}});  // the last group with items works alone
    } else {
      for (std::size_t i = 0; i < planned.size(); ++i) {
        const int share = free.size() / static_cast<int>(planned.size());
        const int first = static_cast<int>(i) * share;
        planned[i].ranks = united(planned[i].ranks, free.slice(first, share));
      }
    }
    // If two groups have items, they also swap their chains.
    if (planned.size() == 2 && planned[1].chain.walker != Chain::none) {
      std::swap(planned[0].chain, planned[1].chain);
    }
    if (mistake_ != nullptr) mistake_(planned);
    return planned;
  }

  std::unique_ptr<Balancer> clone() const override {
    return std::make_unique<HelpingInExchanges>(*this);
  }
  std::vector<std::int64_t> memory() const override { return {worked_}; }

 private:
  Mistake mistake_;
  bool worked_ = false;
};

TEST(HelpingInExchanges, IsRightInEveryOrderOfEvents) {
  expect_right(HelpingInExchanges(), all_starts(3, long_tests() ? 4 : 2));
}

TEST(TheExplorerOfPlans, CatchesWrongPlans) {
  using Groups = std::vector<Group>;
  const auto expect = [](HelpingInExchanges::Mistake mistake, const char* what) {
    EXPECT_THAT(counterexample(HelpingInExchanges(mistake), Starts{{0, 2, 2}}, 2), HasSubstr(what));
  };
  expect([](Groups& planned) { planned[0].ranks = planned[0].ranks.slice(1, 100); },
         "group 0-1, group 2-3, group 4-5 become");
  expect(
      [](Groups& planned) {
        planned[0].ranks = united(planned[0].ranks, planned[1].ranks.slice(0, 1));
      },
      "form, and have a rank in common");
  expect([](Groups& planned) { planned.push_back(planned[0]); }, "form, and have a rank in common");
  expect([](Groups& planned) { planned[0].chain = planned[1].chain; }, "is in two of them");
  expect([](Groups& planned) { planned[0].chain = {}; }, "are lost that group");
  expect(
      [](Groups& planned) {
        --planned[0].chain.items_left;
        ++planned[1].chain.items_left;
      },
      "takes over");
}

}  // namespace
}  // namespace regroup::dividing_test
