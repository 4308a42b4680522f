// SPDX-License-Identifier: BSD-3-Clause
//
// Tests chains that exchange messages: invalid message patterns, the next chain of a blocked group,
// and whole runs in virtual time.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "kernel/chains/message_pattern.hpp"
#include "kernel/parking.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::chain_messages_test {
namespace {

using testing::HasSubstr;
using testing::Throws;

/// Messages needed by a chain before an item.
using ByItem = std::map<std::pair<int, std::int64_t>, std::vector<Need>>;
MessagePattern pattern(std::vector<std::int64_t> items, const ByItem& needs) {
  return {items, [&](int chain, std::int64_t item) {
            const auto found = needs.find({chain, item});
            return found == needs.end() ? std::vector<Need>{} : found->second;
          }};
}

std::string fault(std::vector<std::int64_t> items, const ByItem& needs) {
  try {
    pattern(std::move(items), needs);
  } catch (const std::invalid_argument& wrong) {
    return wrong.what();
  }
  return "nothing";
}

TEST(APattern, FindsMessagesBySenderAndReceiver) {
  const MessagePattern both = pattern({4, 4}, {{{0, 2}, {{1, 1}}}, {{1, 2}, {{0, 1}}}});
  EXPECT_THAT(both.needed(0, 2), testing::ElementsAre(ChainMessage{1, 1, 0, 2}));
  EXPECT_THAT(both.told(0, 1), testing::ElementsAre(ChainMessage{0, 1, 1, 2}));
  EXPECT_EQ(both.next_needing(0, 0), 2);
  EXPECT_EQ(both.next_needing(0, 3), MessagePattern::never);
  EXPECT_EQ(both.next_telling(1, 0), 1);
}

TEST(APattern, RefusesWhatNeverComes) {
  EXPECT_EQ(fault({2, 2}, {{{0, 1}, {{2, 0}}}}),
            "item 1 of chain 0 needs the message of chain 2 in item 0, which does not exist; "
            "allowed: 0 to 1");
  EXPECT_EQ(fault({2, 2}, {{{0, 1}, {{1, 2}}}}),
            "item 1 of chain 0 needs the message of chain 1 in item 2, but that chain has the "
            "items 0 to 1");
  EXPECT_THAT(fault({3, 2}, {{{0, 1}, {{1, 0}}}, {{0, 2}, {{1, 0}}}}),
              HasSubstr("and so does its item 2"));
}

TEST(APattern, RefusesACircle) {
  const std::string circle =
      fault({2, 2, 2}, {{{0, 0}, {{1, 0}}}, {{1, 0}, {{2, 0}}}, {{2, 0}, {{0, 1}}}});
  EXPECT_THAT(circle, HasSubstr("chains would wait for each other for ever"));
  for (const char* part : {"item 0 of chain 0 needs the message of chain 1 in item 0",
                           "item 0 of chain 1 needs the message of chain 2 in item 0",
                           "item 0 of chain 2 needs the message of chain 0 in item 1"}) {
    EXPECT_THAT(circle, HasSubstr(part));
  }
}

// ---- the next chain of a blocked group

class ABlockedGroup : public testing::Test {
 protected:
  const Queue queue_{{{4, 5}, {6, 5}, {8, 5}, {10, 5}}, 4};
  Parking parking_{{{2, 3}, {6, 4}}, 6};

  std::optional<Chain> next(Chain own, std::vector<int> ready) const {
    return next_chain({{RankRange{2, 3}}, own, {}}, parking_, queue_, [&](const Chain& chain) {
      return std::ranges::find(ready, chain.walker) != ready.end();
    });
  }
};

TEST_F(ABlockedGroup, KeepsAChainThatCanGoOn) {
  EXPECT_EQ(next({14, 2}, {2, 6, 14}), std::nullopt);
}

TEST_F(ABlockedGroup, TurnsToTheReadyChainWithMostItems) {
  EXPECT_EQ(next({14, 2}, {2, 6}), (Chain{6, 4}));
  EXPECT_EQ(next({14, 2}, {2}), (Chain{2, 3}));
}

TEST_F(ABlockedGroup, BeginsTheNextOfItsLine) { EXPECT_EQ(next({14, 2}, {}), (Chain{10, 5})); }

TEST_F(ABlockedGroup, WaitsWithItsChainWhereThereIsNothingElse) {
  parking_.latest = 10;
  EXPECT_EQ(next({14, 2}, {}), std::nullopt);
  EXPECT_EQ(next({14, 0}, {}), (Chain{6, 4}));
}

TEST(Parking, FollowsARegrouping) {
  const Queue queue;
  Parking one{{{4, 2}}, 0};
  const Group before{RankRange{0, 1}, {0, 3}, {}};
  // The group leaves its chain and resumes the parked one.
  one.regroup(before, std::vector<Group>{{RankRange{0, 1}, {4, 2}, {}}}, queue);
  EXPECT_THAT(one.chains, testing::ElementsAre(Chain{0, 3}));
  one.join({{{2, 1}}, 2}, queue);
  EXPECT_THAT(one.chains, testing::ElementsAre(Chain{0, 3}, Chain{2, 1}));
}

// ---- runs in virtual time

Task rounds(NamedValues values, const Options& options = {}) {
  Task task = with(virtual_run({{"item_ms", "10"}}), values);
  task.run().walker = chosen(catalog().walkers, "rounds", options);
  return task;
}

double makespan_s(const Task& task) {
  double last = 0;
  for (const GroupLife& life : simulate(task).lives) last = std::max(last, life.ended_s);
  return last;
}

std::vector<Chosen<BalancerEntry>> balancers_for_exchanges() {
  std::vector<Chosen<BalancerEntry>> all{balancer("asynchronous", {{"finished_groups", "merge"}}),
                                         balancer("spread", {{"loads", "unknown"}})};
  const Task task = rounds({});
  for (const BalancerEntry& entry : catalog().balancers) {
    if (hindrance(entry, task.run().walker).empty()) all.push_back(balancer(entry.name));
  }
  return all;
}

class EveryBalancer : public testing::TestWithParam<Chosen<BalancerEntry>> {};

TEST_P(EveryBalancer, ExecutesChainsThatWaitForEachOther) {
  for (const std::string partners : {"neighbours", "all"}) {
    for (const int walkers_per_group : {1, 2, 3}) {
      for (const int ranks : {1, 2, 3, 8, 17}) {
        Task task = rounds({{"ranks", std::to_string(ranks)},
                            {"group_size", "2"},
                            {"walkers_per_group", std::to_string(walkers_per_group)}},
                           {{"partners", partners}, {"rounds", "4"}});
        task.run().workload = workload("exponential", {{"mean_items", "12"}});
        task.run().balancer = GetParam();
        task.run().strategy =
            GetParam()->regrouping == Regrouping::never ? nullptr : strategy("create_group");
        for (const double jitter : {0.0, 0.3}) {
          task.run().jitter = jitter;
          EXPECT_EQ(first_violation(task, simulate(task)), std::nullopt)
              << ranks << " ranks, " << walkers_per_group << " walkers per group, " << partners;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryBalancer, testing::ValuesIn(balancers_for_exchanges()),
                         [](const auto& test) { return test_name(test.param); });

/// Without balancing, a chain starts a round when it and its neighbours have ended the last one.
TEST(ARound, BeginsWhenNeighboursHaveEndedTheOneBefore) {
  constexpr std::int64_t most = 4;
  Task task = rounds({{"ranks", "6"}, {"group_size", "1"}, {"item_ms", "10"}},
                     {{"rounds", std::to_string(most)}});
  task.run().workload = workload("lognormal", {{"mean_items", "40"}});
  task.run().balancer = balancer("none");
  const Items items = initial_items(task);
  const std::int64_t all = std::min(most, std::ranges::min(items));
  ASSERT_GT(all, 1);
  std::vector<double> ends(items.size(), 0);
  for (std::int64_t round = 0; round < all; ++round) {
    const std::vector<double> before = ends;
    for (std::size_t chain = 0; chain < items.size(); ++chain) {
      if (chain > 0) ends[chain] = std::max(ends[chain], before[chain - 1]);
      if (chain + 1 < items.size()) ends[chain] = std::max(ends[chain], before[chain + 1]);
      const std::int64_t own = (round + 1) * items[chain] / all - round * items[chain] / all;
      ends[chain] += 0.010 * static_cast<double>(own);
    }
  }
  EXPECT_NEAR(makespan_s(task), std::ranges::max(ends), 1e-9);
}

/// Groups with waiting chains merge with groups to their right, which have longer chains here, and
/// execute all of these chains in turn.
TEST(Asynchronous, KeepsAllRanksBusyWhereChainsWaitForEachOther) {
  Task task = rounds({{"ranks", "8"}, {"group_size", "1"}, {"item_ms", "100"}}, {{"rounds", "10"}});
  task.run().workload = workload("cyclic", {{"multiplier", "50"}, {"modulus", "8"}});
  task.run().strategy = strategy("range");
  const double bound = ideal_s(task, initial_items(task));  // for all rounds together
  task.run().balancer = balancer("none");
  EXPECT_GT(makespan_s(task), 1.4 * bound);
  task.run().balancer = balancer("asynchronous");
  EXPECT_LT(makespan_s(task), 1.02 * bound);
}

TEST(ABalancerThatStopsAll, IsRefused) {
  Task task = rounds({{"ranks", "4"}, {"group_size", "1"}});
  task.run().balancer = balancer("collective");
  EXPECT_THAT([&] { resolve(task); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("would deadlock")));
}

}  // namespace
}  // namespace regroup::chain_messages_test
