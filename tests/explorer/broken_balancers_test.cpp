// SPDX-License-Identifier: BSD-3-Clause
//
// Checks that the explorer finds mistakes: each balancer here is a correct one with a single
// mistake. The counterexamples are printed; read one to see the format.
#include <gmock/gmock.h>

#include "balancers/balancers.hpp"
#include "engines/explorer/explorer.hpp"
#include "tests/explorer/twisted.hpp"

namespace regroup::broken_balancers_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::unique_ptr<Balancer> asynchronous(const char* finished) {
  return make_asynchronous({{"finished_groups", finished}, {"listen_ms", "1"}});
}

/// Returns the violation found with three groups of up to two items, or "nothing".
std::string counterexample(const Balancer& balancer) {
  return counterexample(balancer, all_starts(3, 2), 1);
}

std::string counterexample(Inner inner, Twisted::Twist twist) {
  return counterexample(Twisted(std::move(inner), twist));
}

/// Returns the state of `balancer`, which must be asynchronous.
const Asynchronous& rules_of(const Balancer& balancer) {
  return dynamic_cast<const StatefulBalancer<Asynchronous>&>(balancer).rules();
}
bool accepts(const Balancer& balancer, const Decision& decision) {
  return !decision.send.empty() && balancer.word(decision.send.front().message.word) == "accept";
}

TEST(TheExplorer, HasNothingAgainstATwistThatTwistsNothing) {
  for (const char* finished : {"release", "merge"}) {
    const auto twist = changing([](Decision&, const Inner&, const Knowledge&) {});
    EXPECT_EQ(counterexample(asynchronous(finished), twist), "nothing");
  }
}

TEST(TheExplorer, CatchesABalancerThatForgetsItsAskerWhenItMerges) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    const Decision decision = inner->decide(known);
    if (std::holds_alternative<Regroup>(decision.next)) inner = asynchronous("release");
    return decision;
  };
  const std::string found = counterexample(asynchronous("release"), twist);
  EXPECT_THAT(found, StartsWith("nothing can happen any more"));
  EXPECT_THAT(found, HasSubstr("request of rank 0"));
}

TEST(TheExplorer, CatchesABalancerThatAcceptsWhileItAsks) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    const bool asked = known.message && inner->word(known.message->word) == "request";
    if (!asked || !rules_of(*inner).asking) return inner->decide(known);
    const Group& group = known.group;
    const Message accept{
        known.message->word + 1, 0, group.ranks, {group.chain.walker, group.chain.items_left}};
    return {merged(united(known.message->ranks, group.ranks), group.chain),
            {{known.message->from, accept}}};
  };
  const std::string found = counterexample(asynchronous("merge"), twist);
  EXPECT_THAT(found, HasSubstr("a message arrives at rank 0, which has stopped"));
}

TEST(TheExplorer, CatchesABalancerThatDoesAnItemTwiceOrLosesOne) {
  for (const int more : {1, -1}) {
    const auto twist = [more](Inner& inner, const Knowledge& known) {
      Decision decision = inner->decide(known);
      if (accepts(*inner, decision)) {
        decision.send.front().message.numbers[1] += more;
        std::get<Regroup>(decision.next).groups.front().chain.items_left += more;
      }
      return decision;
    };
    EXPECT_THAT(
        counterexample(asynchronous("release"), twist),
        StartsWith("group 1-2 forms, and 1 items of walker 2 are lost that group 2 had left"));
  }
}

TEST(TheExplorer, CatchesABalancerThatJoinsAnotherGroupBeforeItsOwnWorkIsDone) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Group lazy = known.group;
    if (lazy.leader() == 0) lazy.chain.items_left = 0;
    return inner->decide({lazy, known.ranks, known.forecast, known.message, known.random});
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              HasSubstr("items of walker 0 are lost"));
}

TEST(TheExplorer, CatchesABalancerThatGoesOnWithTheWrongWalker) {
  const auto twist = changing([](Decision& decision, const Inner&, const Knowledge&) {
    if (auto* merge = std::get_if<Regroup>(&decision.next)) {
      merge->groups.front().chain.walker = merge->groups.front().leader();
    }
  });
  EXPECT_THAT(
      counterexample(asynchronous("release"), twist),
      StartsWith("group 1-2 forms, and 1 items of walker 2 are lost that group 2 had left"));
}

TEST(TheExplorer, CatchesABalancerThatStopsWithoutWaitingForItsAsker) {
  const auto twist = changing([](Decision& decision, const Inner& inner, const Knowledge&) {
    if (rules_of(*inner).released) decision.next = Stop{};
  });
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              HasSubstr("a message arrives at rank 1, which has stopped"));
}

TEST(TheExplorer, CatchesABalancerThatStopsWithItemsLeft) {
  const auto twist = [](Inner&, const Knowledge&) -> Decision { return {Stop{}, {}}; };
  EXPECT_THAT(counterexample(asynchronous("release"), twist), StartsWith("group 2 stops with 1"));
}

TEST(TheExplorer, CatchesABalancerThatWorksOnMoreThanItHas) {
  const auto twist = changing([](Decision& decision, const Inner&, const Knowledge&) {
    if (auto* work = std::get_if<Work>(&decision.next)) ++work->items;
  });
  EXPECT_THAT(counterexample(asynchronous("merge"), twist),
              StartsWith("group 2 works on 2 items and has 1 items"));
}

TEST(TheExplorer, CatchesABalancerThatAnswersNoRequest) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Knowledge deaf = known;
    deaf.message.reset();
    return inner->decide(deaf);
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              StartsWith("nothing can happen any more"));
}

TEST(TheExplorer, CatchesABalancerThatOnlyEverListens) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    if (known.group.chain.items_left == 0 && known.group.ranks.size() < known.ranks)
      return {Wait{0.001}, {}};
    return inner->decide(known);
  };
  EXPECT_THAT(counterexample(asynchronous("merge"), twist),
              StartsWith("from here on not everybody can stop"));
}

TEST(TheExplorer, CatchesABalancerThatStaysAwayFromAnExchange) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    if (known.group.leader() == 0 && known.group.chain.items_left == 0) return {Stop{}, {}};
    return inner->decide(known);
  };
  EXPECT_THAT(counterexample(make_collective({{"exchange_interval", "1"}}), twist),
              StartsWith("nothing can happen any more"));
}

/// The collective balancer, except that its plan omits the last group.
class Forgetful final : public Balancer {
 public:
  Forgetful() : inner_(make_collective({{"exchange_interval", "1"}})) {}
  Forgetful(const Forgetful& other) : Balancer(other), inner_(other.inner_->clone()) {}

  Decision decide(const Knowledge& known) override { return inner_->decide(known); }
  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const override {
    return inner_->plan(groups.first(groups.size() - 1), forecast);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Forgetful>(*this); }
  std::vector<std::int64_t> memory() const override { return inner_->memory(); }

 private:
  Inner inner_;
};

TEST(TheExplorer, CatchesAPlanThatLeavesOutAGroup) {
  EXPECT_THAT(counterexample(Forgetful()), HasSubstr("which are other ranks"));
}

// ---- spread, with groups of two ranks slower than one rank

/// Returns the violation found for `spread` with a twist when only ranks 0 and 2 have items.
std::string against_spread(Twisted::Twist twist) {
  ExplorerSetup setup;
  setup.best_size = 1;
  const Twisted twisted(make_spread({{"loads", "known"}, {"prefer_own_node", "false"}}),
                        std::move(twist));
  const std::vector<std::vector<std::int64_t>> starts{{3, 0, 5}};
  const auto found = explore(twisted, starts, 1, setup).violation.value_or("nothing");
  fmt::print("{}\n", found);
  return found;
}

template <SpreadWord word>
void lose(Decision& decision, const Inner&, const Knowledge&) {
  std::erase_if(decision.send, [](const Outgoing& one) { return one.message.word == word; });
}

TEST(TheExplorer, HasNothingAgainstSpreadWithoutATwist) {
  EXPECT_EQ(against_spread(changing([](Decision&, const Inner&, const Knowledge&) {})), "nothing");
}

TEST(TheExplorer, CatchesASpreadThatLosesTheAnswerToWhatWasMeasured) {
  EXPECT_THAT(against_spread(changing(lose<heard>)), StartsWith("nothing can happen any more"));
}

TEST(TheExplorer, CatchesASpreadThatDoesNotSayThatRanksAreGivenBack) {
  EXPECT_THAT(against_spread(changing(lose<shrunk>)), StartsWith("nothing can happen any more"));
}

TEST(TheExplorer, CatchesASpreadWhoseChainGoesWithTheRanksThatAreGivenBack) {
  const auto twist = changing([](Decision& decision, const Inner&, const Knowledge&) {
    auto* const regroup = std::get_if<Regroup>(&decision.next);
    if (regroup == nullptr || regroup->groups.size() != 2) return;
    Group& leaves = regroup->groups.back();
    if (leaves.chain.walker == Chain::none) leaves.chain = regroup->groups.front().chain;
  });
  EXPECT_NE(against_spread(twist), "nothing");
}
}  // namespace
}  // namespace regroup::broken_balancers_test
