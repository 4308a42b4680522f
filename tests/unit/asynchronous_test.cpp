// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "balancers/balancers.hpp"
#include "tests/decisions.hpp"

namespace regroup::asynchronous_test {
namespace {

// Groups of four ranks in a run of sixteen. Unless a test says otherwise, group 4-7 decides; its
// left neighbour is 0-3, its right neighbour 8-11.

constexpr std::uint64_t heads = 1;
constexpr std::uint64_t tails = 0;

std::unique_ptr<Balancer> releasing() {
  return make_asynchronous({{"finished_groups", "release"}, {"listen_ms", "2"}});
}
std::unique_ptr<Balancer> merging() {
  return make_asynchronous({{"finished_groups", "merge"}, {"listen_ms", "2"}});
}

Known knows(std::int64_t items_left, std::optional<Message> message = {},
            std::uint64_t random = heads) {
  return {{{4, 7}, {4, items_left}, {}}, message, random};
}
Known knows_as(RankRange ranks, std::optional<Message> message = {}, std::uint64_t random = heads) {
  return {{ranks, {ranks.lo, 0}, {}}, message, random};
}

/// Returns a message with the given word.
Message letter(std::string_view word, RankRange ranks, int walker, std::int64_t items_left) {
  Message message{0, 0, ranks, {walker, items_left}};
  while (releasing()->word(message.word) != word) ++message.word;
  return message;
}

const Message request_from_left = letter("request", {0, 3}, 0, 0);
const Message accept_from_right = letter("accept", {8, 15}, 12, 9);
const Message refusal = letter("refuse", {8, 11}, 8, 0);
const Message release = letter("release", {8, 15}, 12, 0);

const Decision wait{Wait{}, {}};
const Decision stop{Stop{}, {}};
const Decision ask_right{Wait{}, {{8, letter("request", {4, 7}, 4, 0)}}};
const Decision listen_shortest{Wait{0.001}, {}};

Decision merge(RankRange ranks, int walker, std::int64_t items_left) {
  return {merged(ranks, {walker, items_left}), {}};
}
Decision accept_left(std::int64_t items_left) {
  return {merged({0, 7}, {4, items_left}), {{0, letter("accept", {4, 7}, 4, items_left)}}};
}
Decision answer_left(Decision next, std::string_view word) {
  next.send = {{0, letter(word, {4, 7}, 4, 0)}};
  return next;
}

TEST(Asynchronous, ListensWhileItWorks) {
  for (const auto& balancer : {releasing(), merging()}) {
    EXPECT_EQ(balancer->decide(knows(40)), (Decision{Work{40, true}, {}}));
  }
}

TEST(Asynchronous, NeedNotListenAsTheFirstGroupSinceNobodyCanAskIt) {
  for (const auto& balancer : {releasing(), merging()}) {
    Known known = knows_as({0, 7});
    known.group.chain.items_left = 40;
    EXPECT_EQ(balancer->decide(known), (Decision{Work{40, false}, {}}));
  }
}

TEST(Asynchronous, AcceptsARequestWhileItWorksAndGoesOnWithItsOwnWalker) {
  for (const auto& balancer : {releasing(), merging()}) {
    EXPECT_EQ(balancer->decide(knows(40, request_from_left)), accept_left(40));
  }
}

TEST(Asynchronous, AsksTheGroupOnItsRightWhenItHasFinishedAndWaits) {
  for (const auto& balancer : {releasing(), merging()}) {
    EXPECT_EQ(balancer->decide(knows(0)), ask_right);
    EXPECT_EQ(balancer->decide(knows(0)), wait);
  }
}

TEST(Asynchronous, JoinsTheGroupThatAcceptsItAndTakesOverThatGroupsWalker) {
  for (const auto& balancer : {releasing(), merging()}) {
    balancer->decide(knows(0));
    EXPECT_EQ(balancer->decide(knows(0, accept_from_right)), merge({4, 15}, 12, 9));
  }
}

TEST(Releasing, KeepsARequestThatComesWhenItHasFinishedUntilItsOwnIsAnswered) {
  const auto balancer = releasing();
  EXPECT_EQ(balancer->decide(knows(0)), ask_right);
  EXPECT_EQ(balancer->decide(knows(0, request_from_left)), wait);
  EXPECT_EQ(balancer->decide(knows(0, accept_from_right)), merge({4, 15}, 12, 9));
  EXPECT_EQ(balancer->decide(Known{{{4, 15}, {12, 9}, {}}, {}, heads}),
            (Decision{merged({0, 15}, {12, 9}), {{0, letter("accept", {4, 15}, 12, 9)}}}));
}

TEST(Releasing, AsksEvenThoughItFindsARequestWithItsLastItem) {
  EXPECT_EQ(releasing()->decide(knows(0, request_from_left)), ask_right);
}

TEST(Releasing, PassesTheReleaseOnAndStops) {
  const auto balancer = releasing();
  balancer->decide(knows(0));
  balancer->decide(knows(0, request_from_left));
  EXPECT_EQ(balancer->decide(knows(0, release)), answer_left(stop, "release"));
}

TEST(Releasing, WaitsForItsAskerWhenItIsReleasedFirst) {
  const auto balancer = releasing();
  balancer->decide(knows(0));
  EXPECT_EQ(balancer->decide(knows(0, release)), wait);
  EXPECT_EQ(balancer->decide(knows(0, request_from_left)), answer_left(stop, "release"));
}

TEST(Releasing, StopsAtOnceWhereNobodyCanAsk) {
  const auto balancer = releasing();
  balancer->decide(knows_as({0, 3}));
  EXPECT_EQ(balancer->decide(knows_as({0, 3}, letter("release", {4, 15}, 12, 0))), stop);
  EXPECT_EQ(releasing()->decide(knows_as({0, 15})), stop);
}

TEST(Releasing, ReleasesItsAskerWhereThereIsNobodyToAsk) {
  const auto balancer = releasing();
  EXPECT_EQ(balancer->decide(knows_as({12, 15})), wait);
  EXPECT_EQ(balancer->decide(knows_as({12, 15}, letter("request", {8, 11}, 8, 0))),
            (Decision{Stop{}, {{8, letter("release", {12, 15}, 12, 0)}}}));
}

TEST(Merging, ListensAfterTailsForTheTimeGivenOnAverage) {
  EXPECT_EQ(merging()->decide(knows(0, {}, tails)), listen_shortest);
  const Decision longest = merging()->decide(knows(0, {}, ~std::uint64_t{1}));
  EXPECT_NEAR(std::get<Wait>(longest.next).at_most_s.value(), 0.003, 1e-9);
}

TEST(Merging, AcceptsWhileItListensThoughItHasNoWork) {
  const auto balancer = merging();
  balancer->decide(knows(0, {}, tails));
  EXPECT_EQ(balancer->decide(knows(0, request_from_left)), accept_left(0));
}

TEST(Merging, RefusesWhileItAsks) {
  const auto balancer = merging();
  EXPECT_EQ(balancer->decide(knows(0)), ask_right);
  EXPECT_EQ(balancer->decide(knows(0, request_from_left)), answer_left(wait, "refuse"));
  EXPECT_EQ(balancer->decide(knows(0)), wait);
}

TEST(Merging, ListensAfterARefusalEvenWithHeadsAndThenTossesAgain) {
  const auto balancer = merging();
  balancer->decide(knows(0));
  EXPECT_TRUE(std::holds_alternative<Wait>(balancer->decide(knows(0, refusal)).next));
  EXPECT_EQ(balancer->decide(knows(0)), ask_right);
}

TEST(Merging, ListensFirstAfterAMergeWithAGroupWithoutWorkAndAsksAtOnceAfterOneWithWork) {
  for (const std::int64_t items_left : {0, 9}) {
    const auto balancer = merging();
    balancer->decide(knows(0));
    balancer->decide(knows(0, letter("accept", {8, 11}, 8, items_left)));
    const Decision next = balancer->decide(Known{{{4, 11}, {8, 0}, {}}, {}, heads});
    EXPECT_EQ(next.send.empty(), items_left == 0);
  }
}

TEST(Merging, AsksAsTheFirstListensAsTheLastAndStopsAsTheOnlyGroup) {
  EXPECT_EQ(merging()->decide(knows_as({0, 3}, {}, tails)),
            (Decision{Wait{}, {{4, letter("request", {0, 3}, 0, 0)}}}));
  EXPECT_EQ(merging()->decide(knows_as({12, 15})), wait);
  EXPECT_EQ(merging()->decide(knows_as({0, 15})), stop);
}

TEST(Asynchronous, HasEqualMemoryInItsCopy) {
  for (const auto& balancer : {releasing(), merging()}) {
    balancer->decide(knows(0));
    EXPECT_EQ(balancer->clone()->memory(), balancer->memory());
    EXPECT_EQ(balancer->clone()->decide(knows(0)), wait);
  }
}

}  // namespace
}  // namespace regroup::asynchronous_test
