// SPDX-License-Identifier: BSD-3-Clause
//
// The explorer can fail: balancers with one mistake each, and what it says about them. Each is a
// correct balancer with a twist. The way to the mistake is printed; read one to see how a
// counterexample looks.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "balancers/balancers.hpp"
#include "jobs/catalog/resolve.hpp"
#include "kernel/explorer/explorer.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Inner = std::unique_ptr<Balancer>;

std::unique_ptr<Balancer> asynchronous(const char* finished) {
  return make_balancer({"asynchronous", {{"finished", finished}, {"listen_ms", "1"}}});
}

class Twisted final : public Balancer {
 public:
  using Twist = Decision (*)(Inner& inner, const Knowledge& known);

  Twisted(Inner inner, Twist twist) : inner_(std::move(inner)), twist_(twist) {}

  Decision decide(const Knowledge& known) override { return twist_(inner_, known); }
  std::vector<RankRange> partition(std::span<const GroupLoad> loads) const override {
    return inner_->partition(loads);
  }
  std::unique_ptr<Balancer> clone() const override {
    return std::make_unique<Twisted>(inner_->clone(), twist_);
  }
  std::vector<std::int64_t> memory() const override { return inner_->memory(); }

 private:
  Inner inner_;
  Twist twist_;
};

/// What the explorer has against it, with up to three groups of up to two items.
std::string counterexample(const Balancer& balancer) {
  const auto starts = all_starts(3, 2);
  const std::string found = explore(balancer, starts).violation.value_or("nothing");
  fmt::print("{}\n", found);
  return found;
}

std::string counterexample(Inner inner, Twisted::Twist twist) {
  return counterexample(Twisted(std::move(inner), twist));
}

// What asynchronous remembers, by its place in memory().
bool is_asking(const Balancer& balancer) { return balancer.memory()[1] != 0; }
bool is_released(const Balancer& balancer) { return balancer.memory()[3] != 0; }

TEST(TheExplorer, HasNothingAgainstATwistThatTwistsNothing) {
  for (const char* finished : {"release", "merge"}) {
    const auto plain = [](Inner& inner, const Knowledge& known) { return inner->decide(known); };
    EXPECT_EQ(counterexample(asynchronous(finished), plain), "nothing");
  }
}

TEST(TheExplorer, CatchesABalancerThatForgetsItsAskerWhenItMerges) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    const Decision decision = inner->decide(known);
    if (std::holds_alternative<Merge>(decision.next)) inner = asynchronous("release");
    return decision;
  };
  const std::string found = counterexample(asynchronous("release"), twist);
  EXPECT_THAT(found, StartsWith("nothing can happen any more"));
  EXPECT_THAT(found, HasSubstr("request of group 0"));
}

TEST(TheExplorer, CatchesABalancerThatAcceptsWhileItAsks) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    const bool asked = known.message && known.message->kind == Message::Kind::request;
    if (!asked || !is_asking(*inner)) return inner->decide(known);
    return {Merge{{known.message->ranks.lo, known.group.hi}, known.walker, known.items_left},
            Outgoing{known.message->ranks.lo,
                     {Message::Kind::accept, known.group, known.walker, known.items_left}}};
  };
  const std::string found = counterexample(asynchronous("merge"), twist);
  EXPECT_THAT(found, HasSubstr("leads no group any more"));
}

TEST(TheExplorer, CatchesABalancerThatDoesAnItemTwice) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (decision.send && decision.send->message.kind == Message::Kind::accept) {
      ++decision.send->message.items_left;
      ++std::get<Merge>(decision.next).items_left;
    }
    return decision;
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              StartsWith("group 1-2 takes over 2 items of walker 2, but group 2 left 1"));
}

TEST(TheExplorer, CatchesABalancerThatLosesAnItem) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (decision.send && decision.send->message.kind == Message::Kind::accept) {
      --decision.send->message.items_left;
      --std::get<Merge>(decision.next).items_left;
    }
    return decision;
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              StartsWith("group 1-2 takes over 0 items of walker 2, but group 2 left 1"));
}

TEST(TheExplorer, CatchesABalancerThatJoinsAnotherGroupBeforeItsOwnWorkIsDone) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Knowledge lazy = known;
    if (known.group.lo == 0) lazy.items_left = 0;
    return inner->decide(lazy);
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              HasSubstr("items of walker 0 are lost"));
}

TEST(TheExplorer, CatchesABalancerThatGoesOnWithTheWrongWalker) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (auto* merge = std::get_if<Merge>(&decision.next)) merge->walker = merge->ranks.lo;
    return decision;
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist),
              StartsWith("group 1-2 takes over 1 items of walker 1, but group 2 left 1"));
}

TEST(TheExplorer, CatchesABalancerThatStopsWithoutWaitingForItsAsker) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (is_released(*inner)) decision.next = Stop{};
    return decision;
  };
  EXPECT_THAT(counterexample(asynchronous("release"), twist), HasSubstr("leads no group any more"));
}

TEST(TheExplorer, CatchesABalancerThatStopsWithItemsLeft) {
  const auto twist = [](Inner&, const Knowledge&) -> Decision { return {Stop{}, {}}; };
  EXPECT_THAT(counterexample(asynchronous("release"), twist), StartsWith("group 2 stops with 1"));
}

TEST(TheExplorer, CatchesABalancerThatWorksOnMoreThanItHas) {
  const auto twist = [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (auto* work = std::get_if<Work>(&decision.next)) ++work->items;
    return decision;
  };
  EXPECT_THAT(counterexample(asynchronous("merge"), twist), StartsWith("group 2 works on 2 of 1"));
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
    if (known.items_left == 0 && known.group.size() < known.ranks) return {Wait{0.001}, {}};
    return inner->decide(known);
  };
  EXPECT_THAT(counterexample(asynchronous("merge"), twist),
              StartsWith("from here on not everybody can stop"));
}

TEST(TheExplorer, CatchesABalancerThatStaysAwayFromAnExchange) {
  const auto twist = [](Inner& inner, const Knowledge& known) -> Decision {
    if (known.group.lo == 0 && known.items_left == 0) return {Stop{}, {}};
    return inner->decide(known);
  };
  EXPECT_THAT(counterexample(make_balancer({"collective", {{"interval", "1"}}}), twist),
              StartsWith("nothing can happen any more"));
}

/// collective, but its partition leaves out the last group.
class Forgetful final : public Balancer {
 public:
  Forgetful() : inner_(make_balancer({"collective", {{"interval", "1"}}})) {}
  Forgetful(const Forgetful& other) : Balancer(other), inner_(other.inner_->clone()) {}

  Decision decide(const Knowledge& known) override { return inner_->decide(known); }
  std::vector<RankRange> partition(std::span<const GroupLoad> loads) const override {
    return inner_->partition(loads.first(loads.size() - 1));
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Forgetful>(*this); }
  std::vector<std::int64_t> memory() const override { return inner_->memory(); }

 private:
  Inner inner_;
};

TEST(TheExplorer, CatchesAPartitionThatLeavesOutAGroup) {
  EXPECT_THAT(counterexample(Forgetful()), StartsWith("group 2 is not in the partition"));
}

}  // namespace
}  // namespace regroup
