// SPDX-License-Identifier: BSD-3-Clause
//
// Loses a rank at every possible moment, in every order of events of small runs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <string_view>
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

std::vector<Chosen<BalancerEntry>> every_variant() {
  std::vector<Chosen<BalancerEntry>> all;
  for (const BalancerEntry& entry : catalog().balancers) {
    std::ranges::move(variants(entry), std::back_inserter(all));
  }
  return all;
}

class EveryLoss : public testing::TestWithParam<Chosen<BalancerEntry>> {};

TEST_P(EveryLoss, LeavesARunThatExecutesEveryItemOnceAndLetsEverybodyStop) {
  std::vector<SmallRuns> all{{2, 2, 2, 0, 0, 1},
                             {2, 1, 1, 2, 0, 1},
                             {3, 1, 1, 1, 0, 1},
                             {3, 1, 1, 0, 0, 2},
                             {2, 1, 2, 0, 0, 2}};
  // Groups that can be divided have far more states.
  if (long_tests() || GetParam()->shapes != Shapes::any) all.push_back({4, 1, 1, 0, 0, 1});
  if (long_tests()) {
    all.push_back({3, 1, 2, 0, 0, 1});
    // The next run takes more than a minute with these two balancers.
    const std::string_view name = GetParam()->name;
    if (name != "two_sided" && name != "spread") all.push_back({4, 1, 2, 0, 0, 1});
  }
  for (const SmallRuns& runs : all) {
    const Exploration seen = explore(GetParam(), runs);
    EXPECT_EQ(seen.violation, std::nullopt);
    EXPECT_GE(seen.finals, 1u);
    fmt::print("{}: {}: {} states\n", test_name(GetParam()), describe(runs), seen.states);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryLoss, testing::ValuesIn(every_variant()),
                         [](const auto& test) { return test_name(test.param); });

// Possible mistakes of rest_of().

std::string found(std::function<RunInput(const RunInput&, const Remains&)> recover) {
  ExplorerSetup setup;
  setup.losses = 1;
  setup.recover = std::move(recover);
  const auto chosen = balancer("asynchronous");
  const auto starts = all_starts(2, 2);
  return explore(*chosen->make(chosen.options), starts, 2, setup).violation.value_or("nothing");
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
