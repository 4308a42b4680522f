// SPDX-License-Identifier: BSD-3-Clause
//
// Every moment at which a rank can be lost, in every order of events of small runs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "driver/check/check_balancer.hpp"
#include "engines/explorer/explorer.hpp"
#include "kernel/recovery.hpp"
#include "tests/long_tests.hpp"
#include "tests/tasks.hpp"

namespace regroup::losses_test {
namespace {

using testing::HasSubstr;

struct Runs {
  int groups, group_size, waiting;
  std::int64_t items;
};

Exploration with_losses(const Chosen<BalancerEntry>& balancer, const Runs& runs,
                        ExplorerSetup setup = {}) {
  setup.walkers = runs.waiting;
  setup.everybody = balancer->start == Start::idle;
  if (setup.losses == 0) setup.losses = 1;
  const std::vector<std::vector<std::int64_t>> starts =
      all_starts(runs.groups + runs.waiting, runs.items);
  return explore(*balancer->make(balancer.options), starts, runs.group_size, setup);
}

std::vector<Chosen<BalancerEntry>> every_variant() {
  std::vector<Chosen<BalancerEntry>> all;
  for (const BalancerEntry& entry : catalog().balancers) {
    std::ranges::move(variants(entry), std::back_inserter(all));
  }
  return all;
}

class EveryLoss : public testing::TestWithParam<Chosen<BalancerEntry>> {};

TEST_P(EveryLoss, LeavesARunThatExecutesEveryItemOnceAndLetsEverybodyStop) {
  std::vector<Runs> all{{2, 2, 0, 2}, {2, 1, 2, 1}, {3, 1, 1, 1}};
  // Groups that can be divided have far more states.
  if (long_tests() || GetParam()->shapes != Shapes::any) all.push_back({4, 1, 0, 1});
  if (long_tests()) all.insert(all.end(), {{3, 2, 0, 1}, {4, 2, 0, 1}});
  for (const Runs& runs : all) {
    const Exploration seen = with_losses(GetParam(), runs);
    EXPECT_EQ(seen.violation, std::nullopt);
    EXPECT_GE(seen.finals, 1u);
    fmt::print("{}: {} groups of {}, {} wait: {} states\n", test_name(GetParam()), runs.groups,
               runs.group_size, runs.waiting, seen.states);
  }
}

TEST_P(EveryLoss, MayComeAfterAnother) {
  ExplorerSetup setup;
  setup.losses = 2;
  for (const Runs& runs : {Runs{3, 1, 0, 1}, Runs{2, 2, 0, 1}, Runs{3, 1, 1, 1}}) {
    EXPECT_EQ(with_losses(GetParam(), runs, setup).violation, std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryLoss, testing::ValuesIn(every_variant()),
                         [](const auto& test) { return test_name(test.param); });

// What rest_of() could do wrong.

std::string found(std::function<RunInput(const RunInput&, const Remains&)> recover) {
  ExplorerSetup setup;
  setup.recover = std::move(recover);
  return with_losses(balancer("asynchronous"), {2, 2, 0, 2}, setup).violation.value_or("nothing");
}

TEST(AWrongRecovery, ThatForgetsALostMemberIsCaught) {
  const std::string wrong = found([](const RunInput& run, const Remains& remains) {
    Remains forgetful = remains;
    if (remains.lost.lo() % 2 == 1) forgetful.lost = {};
    return rest_of(run, forgetful);
  });
  EXPECT_THAT(wrong, HasSubstr("3 ranks are left, and groups of 4 ranks go on"));
}

TEST(AWrongRecovery, InWhichAWalkerIsTakenOverTwiceIsCaught) {
  const std::string wrong = found([](const RunInput& run, const Remains& remains) {
    RunInput rest = rest_of(run, remains);
    for (Chain& chain : rest.chains) {
      if (chain.items_left == 0) chain = rest.chains.front();
    }
    return rest;
  });
  EXPECT_THAT(wrong, HasSubstr("is taken over 2 times"));
}

TEST(AWrongRecovery, InWhichNobodyReplacesALeaderIsCaught) {
  const std::string wrong = found([](const RunInput& run, const Remains& remains) {
    Remains without = remains;
    std::erase_if(without.groups,
                  [&](const Group& group) { return remains.lost.contains(group.leader()); });
    return rest_of(run, without);
  });
  EXPECT_THAT(wrong, HasSubstr("3 ranks are left, and groups of 2 ranks go on"));
}

}  // namespace
}  // namespace regroup::losses_test
