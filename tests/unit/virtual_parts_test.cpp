// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "engines/virtual/events.hpp"
#include "engines/virtual/leaders.hpp"
#include "engines/virtual/pace.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::virtual_parts_test {
namespace {

// Four ranks execute items of 25 ms; in a listening group, an item takes a look (1 µs) and an order
// to four ranks (20 µs) in addition.

constexpr Ticks item = ticks(0.025);
constexpr Ticks overhead = ticks(21e-6);

class PaceTest : public testing::TestWithParam<double> {
 protected:
  static Task task(double jitter) {
    Task task = virtual_run({{"ranks", "4"}});
    task.run().jitter = jitter;
    task.run().costs =
        cost_model("free", {{"look_for_request_us", "1"}, {"tell_members_us", "10"}});
    return task;
  }

  static Stretch stretch(std::int64_t items, bool listening = true) {
    return {.began = 1'000'000,
            .ranks = 4,
            .walker = 8,
            .items_left = 100,
            .items = items,
            .listening = listening};
  }

  Task task_ = task(GetParam());
  Costs costs_ = costs_of(task_);
  ItemTime time_ = item_time_of(task_);
  Pace pace_{time_, costs_};
};

class EvenPace : public PaceTest {};

TEST_P(EvenPace, AddsWhatAListeningLeaderDoesBetweenItems) {
  EXPECT_EQ(pace_.end(stretch(1)), 1'000'000 + item + overhead);
  EXPECT_EQ(pace_.end(stretch(3)), 1'000'000 + 3 * (item + overhead));
  EXPECT_EQ(pace_.end(stretch(3, false)), 1'000'000 + 3 * item);
  EXPECT_EQ(pace_.longest(1'000'000), 1'000'000) << "all items are planned at once";
}

INSTANTIATE_TEST_SUITE_P(Pace, EvenPace, testing::Values(0.0));

class UnevenPace : public PaceTest {};

TEST_P(UnevenPace, TakesEachItemsOwnTime) {
  const ItemTime time = item_time_of(task_);
  Ticks end = 1'000'000;
  for (std::int64_t left = 100; left > 95; --left) end += ticks(time.seconds(4, 8, left) + 21e-6);
  EXPECT_EQ(pace_.end(stretch(5)), end);
}

INSTANTIATE_TEST_SUITE_P(Pace, UnevenPace, testing::Values(0.3));

class EveryPace : public PaceTest {};

TEST_P(EveryPace, StopsAtTheFirstEndOfAnItemThatIsNotBeforeTheMoment) {
  constexpr std::int64_t all = 7;
  for (std::int64_t items = 1; items <= all; ++items) {
    const Ticks end = pace_.end(stretch(items));
    EXPECT_EQ(pace_.until(end, stretch(all)).items, items);
    EXPECT_EQ(pace_.until(end - 1, stretch(all)).items, items);
    EXPECT_EQ(pace_.until(end + 1, stretch(all)).items, std::min(items + 1, all));
  }
  EXPECT_EQ(pace_.until(stretch(7).began, stretch(7)).items, 1);
  const Stretch part = pace_.until(pace_.end(stretch(2)), stretch(7));
  EXPECT_EQ(pace_.end(part), pace_.end(stretch(2)));
}

INSTANTIATE_TEST_SUITE_P(Pace, EveryPace, testing::Values(0.0, 0.3));

TEST(Pace, LetsNoItemTakeNoTime) {
  Task run = virtual_run();
  run.run().item_ms = 1e-12;
  const Costs costs = costs_of(run);
  const ItemTime time = item_time_of(run);
  const Pace pace(time, costs);
  EXPECT_EQ(pace.end({.began = 5, .ranks = 4, .walker = 0, .items_left = 3, .items = 3}), 8);
  EXPECT_EQ(pace.until(5, {.began = 5, .ranks = 4, .items_left = 3, .items = 3}).items, 1);
}

TEST(Ticks, AreRoundedToTheNearest) {
  EXPECT_EQ(ticks(1.6e-12), 2);
  EXPECT_EQ(ticks(1.4e-12), 1);
  EXPECT_EQ(ticks(0.1), 100'000'000'000);
  EXPECT_DOUBLE_EQ(seconds(ticks(123.456)), 123.456);
}

// Compares with std::multimap, which also keeps the order of equal keys.
TEST(Timeline, TakesEventsByTimeAndEqualOnesAsTheyWereAdded) {
  std::mt19937_64 random(1);
  Timeline timeline;
  std::multimap<Ticks, int> expected;
  Ticks now = 0;
  for (int step = 0; step < 20000; ++step) {
    if (expected.empty() || random() % 2 == 0) {
      const auto most = (std::uint64_t{1} << random() % 45) - 1;  // often equal, often far away
      const Ticks at = now + static_cast<Ticks>(random() & most);
      timeline.add({at, 0, step});
      expected.emplace(at, step);
    }
    if (random() % 2 == 0 && !expected.empty()) {
      const auto [at, rank] = *expected.begin();
      expected.erase(expected.begin());
      EXPECT_EQ(timeline.next_at(), at);
      const Event event = timeline.take();
      EXPECT_EQ(std::pair(event.at, event.rank), std::pair(at, rank));
      now = at;
    }
    EXPECT_EQ(timeline.empty(), expected.empty());
  }
}

/// Group 0-3 has 5 items of walker 0; group 4-7 has finished its own walker.
class HandOver : public testing::Test {
 protected:
  HandOver() {
    leaders_.at(0).group = {RankRange{0, 3}, {0, 5}, {}};
    leaders_.at(4).group = {RankRange{4, 7}, {4, 0}, {}};
    run_.state_bytes = 1000;
  }

  double seconds(RankRange ranks, Chain chain) {
    return hand_over_s(std::vector{0, 4}, {ranks, chain, {}}, run_, costs_, leaders_, outcome_);
  }

  static Costs one_byte_in_a_microsecond() {
    return costs_of(virtual_run({{"costs", "free(bandwidth_mb_s=1)"}}));
  }

  std::vector<RankRange> groups_{{0, 3}, {4, 7}};
  Leaders leaders_{8, groups_};
  RunInput run_;
  Costs costs_ = one_byte_in_a_microsecond();
  Outcome outcome_;
};

TEST_F(HandOver, TakesItsTimeWhereSomeLackTheState) {
  EXPECT_EQ(seconds({0, 7}, {0, 5}), costs_.hand_over(8, 1000));
  EXPECT_EQ(seconds({2, 5}, {0, 5}), costs_.hand_over(4, 1000));
  EXPECT_EQ(outcome_.hand_over_s, costs_.hand_over(8, 1000) + costs_.hand_over(4, 1000));
  EXPECT_EQ(outcome_.hand_over_bytes, 1000);
  EXPECT_EQ(seconds({4, 7}, {0, 5}), costs_.hand_over(4, 1000, true));
  EXPECT_EQ(seconds({6, 6}, {0, 5}), costs_.hand_over(1, 1000, true));
}

TEST_F(HandOver, IsNothingWhereAllHaveItOrThereIsNone) {
  EXPECT_EQ(seconds({0, 3}, {0, 5}), 0);
  EXPECT_EQ(seconds({1, 2}, {0, 5}), 0);
  EXPECT_EQ(seconds({0, 7}, {64, 9}), 0);
  EXPECT_EQ(seconds({0, 7}, {4, 0}), 0);
  EXPECT_EQ(outcome_.hand_over_s, 0);
  run_.state_bytes = 0;
  EXPECT_EQ(seconds({0, 7}, {0, 5}), 0);
}

// Two groups of two ranks: 0-1 has no items, 2-3 has ten. After they merge, the first item starts
// when all ranks have the state.
TEST(HandOverInARun, DelaysTheItemsOfTheGroup) {
  const Task run = virtual_run({{"ranks", "4"},
                                {"group_size", "2"},
                                {"workload", "cyclic(multiplier=5 modulus=32)"},
                                {"balancer", "asynchronous(finished_groups=release listen_ms=1)"},
                                {"communicator", "create_group"},
                                {"costs", "free(bandwidth_mb_s=1000)"}});
  const Outcome without = simulate(run);
  const Outcome with = simulate(regroup::with(run, {{"walker", "sleep(state_bytes=1000000)"}}));
  EXPECT_NEAR(with.hand_over_s, 0.002, 1e-6);
  EXPECT_NEAR(with.makespan_s() - without.makespan_s(), with.hand_over_s, 1e-8);
  EXPECT_EQ(with.lives.back().formed_s, without.lives.back().formed_s);
  EXPECT_EQ(without.hand_over_s, 0);
}

}  // namespace
}  // namespace regroup::virtual_parts_test
