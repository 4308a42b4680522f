// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <vector>

#include "kernel/numbers/statistics.hpp"
#include "pool/plan.hpp"
#include "regroup/numbers.hpp"

namespace regroup::pool_test {
namespace {

using Costs = std::vector<double>;
using Speedup = double (*)(int width);

double perfect(int width) { return width; }
double none(int) { return 1; }
double amdahl(int width) { return 1 / (0.3 + 0.7 / width); }

/// Executes `plan` as a pool does and adds the time of each task to `times`; returns the time of
/// the round.
double carried_out(const PoolPlan& plan, const Costs& costs, Speedup speedup,
                   const std::vector<int>& set_of, TaskTimes& times) {
  std::vector<double> free_at(set_of.size(), 0);
  std::vector<int> executed(costs.size(), 0);
  const auto execute = [&](int task, int width) {
    const auto number = static_cast<std::size_t>(task);
    ++executed[number];
    const double seconds = costs[number] / speedup(width);
    times.add(number, width, seconds);
    return seconds;
  };
  for (const PoolPlan::Wide& wide : plan.wide) {
    const auto begin = free_at.begin() + wide.first;
    const double begins = *std::max_element(begin, begin + wide.width);
    std::fill_n(begin, wide.width, begins + execute(wide.task, wide.width));
  }
  for (std::size_t set = 0; set < plan.queues.size(); ++set) {
    for (const int task : plan.queues[set]) {
      std::size_t next = set_of.size();
      for (std::size_t i = 0; i < set_of.size(); ++i) {
        if (set_of[i] != static_cast<int>(set)) continue;
        if (next == set_of.size() || free_at[i] < free_at[next]) next = i;
      }
      free_at[next] += execute(task, 1);
    }
  }
  EXPECT_EQ(executed, std::vector<int>(costs.size(), 1)) << "each task once";
  return std::ranges::max(free_at);
}

std::vector<int> one_set(int groups) { return std::vector<int>(static_cast<std::size_t>(groups)); }

/// Returns the time of the last of `rounds` rounds.
double last_round(const Costs& costs, Speedup speedup, int groups, int rounds) {
  TaskTimes times;
  double seconds = 0;
  for (int round = 0; round < rounds; ++round) {
    times.begin(costs.size(), {});
    const PoolPlan planned = plan(static_cast<int>(costs.size()), times, one_set(groups), 50e-6);
    seconds = carried_out(planned, costs, speedup, one_set(groups), times);
  }
  return seconds;
}

/// Returns the time if each task runs on one rank and tasks start in the given order.
double in_given_order(const Costs& costs, int groups) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int i = 0; i < groups; ++i) free_at.push(0);
  double last = 0;
  for (const double cost : costs) {
    const double end = free_at.top() + cost;
    free_at.pop();
    free_at.push(end);
    last = std::max(last, end);
  }
  return last;
}

/// Returns lognormal costs with σ = 1.
Costs drawn(int tasks, std::uint64_t draw) {
  Costs costs;
  for (int task = 0; task < tasks; ++task) {
    costs.push_back(std::exp(
        standard_normal(random_bits(7, Purpose::chain, draw, static_cast<std::uint64_t>(task)))));
  }
  return costs;
}

TEST(APool, SharesTasksThatGainByItSoThatNobodyIsIdle) {
  std::vector<double> ratios;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const Costs costs = drawn(8, draw);
    const double limit = std::reduce(costs.begin(), costs.end()) / 4;
    EXPECT_LE(last_round(costs, perfect, 4, 5), 1.02 * limit);
    ratios.push_back(last_round(costs, perfect, 4, 5) / in_given_order(costs, 4));
  }
  EXPECT_LE(median(ratios), 0.75);
}

TEST(APool, LosesNothingWithTasksThatGainNothing) {
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    for (const int tasks : {8, 32, 33}) {
      Costs costs = drawn(tasks, draw);
      std::ranges::sort(costs, std::greater());  // the longest first
      EXPECT_LE(last_round(costs, none, 4, 6), 1.02 * in_given_order(costs, 4));
    }
  }
}

TEST(APool, IsNoSlowerThanTheLongestFirstWithAnySpeedup) {
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    Costs costs = drawn(12, draw);
    std::ranges::sort(costs, std::greater());
    EXPECT_LE(last_round(costs, amdahl, 8, 6), 1.02 * in_given_order(costs, 8));
  }
}

TEST(APool, BeginsInTheOrderGivenWhereNothingIsKnown) {
  TaskTimes times;
  times.begin(6, {});
  const PoolPlan planned = plan(6, times, one_set(3), 0);
  EXPECT_TRUE(planned.wide.empty());
  EXPECT_EQ(planned.queues, (std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 5}}));
}

TEST(APool, BeginsWithTheLongestByTheCostsGiven) {
  TaskTimes times;
  times.begin(5, Costs{1, 3, 2, 5, 4});
  EXPECT_EQ(plan(5, times, one_set(2), 0).queues, (std::vector<std::vector<int>>{{3, 4, 1, 2, 0}}));
}

TEST(APool, GivesFewTasksAllGroupsAtOnce) {
  TaskTimes times;
  times.begin(2, {});
  const PoolPlan planned = plan(2, times, one_set(5), 0);
  ASSERT_EQ(planned.wide.size(), 2u);
  EXPECT_EQ(planned.wide[0].width, 2);
  EXPECT_EQ(planned.wide[1].width, 2);
  EXPECT_NE(planned.wide[0].first, planned.wide[1].first);
}

TEST(APool, SpreadsTasksOverTheQueuesOfHosts) {
  const std::vector<int> set_of{0, 0, 1, 1, 1, 2};
  TaskTimes times;
  for (int round = 0; round < 4; ++round) {
    times.begin(40, {});
    carried_out(plan(40, times, set_of, 0), drawn(40, 1), none, set_of, times);
  }
  times.begin(40, {});
  const PoolPlan planned = plan(40, times, set_of, 0);
  Costs longest_first = drawn(40, 1);
  std::ranges::sort(longest_first, std::greater());
  EXPECT_LE(carried_out(planned, drawn(40, 1), none, set_of, times),
            1.02 * in_given_order(longest_first, 6));
}

TEST(APool, DoesNotTryWidthsWithTasksThatTakeNoTime) {
  TaskTimes times;
  for (int round = 0; round < 3; ++round) {
    times.begin(32, {});
    const PoolPlan planned = plan(32, times, one_set(4), 50e-6);
    EXPECT_TRUE(planned.wide.empty());
    carried_out(planned, Costs(32, 1e-5), none, one_set(4), times);
  }
}

TEST(APool, PlansNoTasks) {
  TaskTimes times;
  times.begin(0, {});
  EXPECT_TRUE(plan(0, times, one_set(3), 0).wide.empty());
}

TEST(TaskTimes, GoOnFromTasksThatFailed) {
  TaskTimes times;
  times.begin(3, {});
  times.add(0, 1, 2);
  times.add(2, 1, 4);
  times.begin(3, {});
  EXPECT_TRUE(times.in_seconds());
  EXPECT_EQ(times.expected(1), 3);
}

TEST(TaskTimes, LearnTheSpeedupFromCostsAndSeconds) {
  TaskTimes times;
  const Costs costs{10, 20, 40};
  for (int round = 0; round < 4; ++round) {
    times.begin(3, costs);
    times.add(0, 1, 1);
    times.add(1, 1, 2);
    times.add(2, 4, 2);  // 4 s on one rank
  }
  times.begin(3, costs);
  EXPECT_NEAR(times.speedup(4), 2, 0.05);
  EXPECT_NEAR(times.expected(1), 2, 0.05);
}

}  // namespace
}  // namespace regroup::pool_test
