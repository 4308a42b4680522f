// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/load_table.hpp"

#include <gmock/gmock.h>

#include "tests/decisions.hpp"

namespace regroup::load_table_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::pair<int, int>> pairs(const std::vector<HelpTable::Share>& shares) {
  std::vector<std::pair<int, int>> result;
  for (const auto& share : shares) result.emplace_back(share.contact, share.ranks);
  return result;
}

/// Returns a table of walkers 0, 4 and 8 with `items` items, each on four ranks.
HelpTable table(bool by_ends, std::array<std::int64_t, 3> items) {
  HelpTable table{by_ends};
  for (int i = 0; i < 3; ++i) {
    table.add({4 * i, items[static_cast<std::size_t>(i)]}, 4 * i, 4, second_per_item);
  }
  return table;
}

std::vector<std::pair<int, int>> helped(std::array<std::int64_t, 3> items, Chain own,
                                        double now = 0) {
  HelpTable help = table(true, items);
  help.now = now;
  return pairs(help.distribute(own, 4, second_per_item));
}

TEST(HelpTable, GivesAllToTheOneThatEndsLastAndFillsToTheSameLevel) {
  EXPECT_THAT(helped({0, 4, 40}, {0, 0}), ElementsAre(std::pair(8, 4)));
  HelpTable help = table(true, {0, 8, 16});
  EXPECT_THAT(pairs(help.distribute({0, 0}, 4, second_per_item)), ElementsAre(std::pair(8, 4)));
  // Both walkers now end after two seconds.
  EXPECT_THAT(pairs(help.distribute({Chain::none, 0}, 4, second_per_item)),
              ElementsAre(std::pair(4, 2), std::pair(8, 2)));
}

TEST(HelpTable, CountsWhatIsDoneUntilTheHelpIsThere) {
  EXPECT_THAT(helped({8, 4, 7}, {0, 8}), IsEmpty()) << "all end before";
  // At 4 s, walker 0 ends; walkers 4 and 8 then have 4 and 12 items left, so 8 gets all ranks.
  EXPECT_THAT(helped({16, 20, 28}, {0, 4}, 3), ElementsAre(std::pair(8, 4)));
}

TEST(HelpTable, KeepsItsOrderWhereItemsTakeNoTime) {
  HelpTable help = table(true, {8, 16, 24});
  const Forecast free{[](int) { return 0.0; }, [](int) { return 0.0; }, [](int) { return 0.0; }};
  help.forecast_again(second_per_item, free);
  help.forecast_again(free, free);
  EXPECT_THAT(help.distribute({8, 0}, 4, free), IsEmpty());
  help.resize(4, 8, free);
  help.forecast_again(free, second_per_item);
  EXPECT_THAT(pairs(help.distribute({4, 0}, 8, second_per_item)), IsEmpty());
  EXPECT_EQ(help.groups.size(), 1u);
  EXPECT_EQ(help.needs.size(), 1u);
}

/// Like table(), but walker 4 is on node 1 and the others are on node 0.
HelpTable on_two_nodes(bool by_ends, std::array<std::int64_t, 3> items) {
  HelpTable table{by_ends, true};
  for (int i = 0; i < 3; ++i) {
    table.add({4 * i, items[static_cast<std::size_t>(i)]}, 4 * i, 4, second_per_item, 0, i % 2);
  }
  return table;
}

TEST(HelpTable, GivesToTheOwnNodeAsLongAsOneWorksThere) {
  using Pairs = std::vector<std::pair<int, int>>;
  const auto expect = [](std::array<std::int64_t, 3> items, Chain own, std::vector<int> nodes,
                         const Pairs& shares) {
    HelpTable help = on_two_nodes(true, items);
    EXPECT_EQ(pairs(help.distribute(own, 4, second_per_item, nodes)), shares);
  };
  expect({0, 400, 8}, {0, 0}, {0, 0, 0, 0}, {{8, 4}});
  expect({0, 4, 400}, {0, 0}, {1, 1, 1, 1}, {{4, 4}});
  expect({0, 8, 0}, {0, 0}, {0, 0, 0, 0}, {{4, 4}});
  expect({8, 400, 8}, {0, 8}, {0, 0, 0, 0}, {{4, 4}});  // walker 8 ends before help arrives
  // Ranks of several nodes help the groups on their own nodes.
  expect({0, 40, 40}, {0, 0}, {1, 1, 0, 0}, {{4, 2}, {8, 2}});
  expect({0, 40, 40}, {0, 0}, {0, 0, 0, 1}, {{8, 3}, {4, 1}});
}

TEST(HelpTable, OfUnknownLoadsGivesToTheOwnNodeToo) {
  HelpTable help = on_two_nodes(false, {0, 1, 1});
  help.add({12, 1}, 12, 1, second_per_item, 0, 1);  // the smallest group
  EXPECT_THAT(pairs(help.distribute({0, 0}, 2, second_per_item, {0, 0})),
              ElementsAre(std::pair(8, 2)));
}

TEST(HelpTable, HelpsNobodyWhomMoreRanksDoNotHelp) {
  const Forecast serial{[](int) { return 1.0; }, [](int) { return 0.0; }, [](int) { return 0.0; }};
  HelpTable help{true};
  help.add({0, 1}, 0, 4, serial);
  help.add({4, 9}, 4, 4, serial);
  EXPECT_THAT(help.distribute({0, 0}, 4, serial), IsEmpty());
}

TEST(HelpTable, MakesNoRegroupingThatCostsMoreThanItSaves) {
  const auto saved = [](double regroup_s) {
    const Forecast dear{[](int ranks) { return 1.0 / ranks; }, [](int) { return 0.0; },
                        [=](int) { return regroup_s; }};
    HelpTable help{true};
    help.add({0, 0}, 0, 4, dear);
    help.add({4, 16}, 4, 4, dear);  // takes 4 s alone and 2 s with help
    return help.distribute({0, 0}, 4, dear).size();
  };
  EXPECT_EQ(saved(1.9), 1u);
  EXPECT_EQ(saved(2.1), 0u);
}

TEST(HelpTable, WithUnknownLoadsHelpsTheSmallest) {
  HelpTable help{false};
  help.add({0, 0}, 0, 2, second_per_item);
  help.add({2, 0}, 2, 1, second_per_item);
  help.add({3, 0}, 3, 3, second_per_item);
  EXPECT_THAT(pairs(help.distribute({Chain::none, 0}, 4, second_per_item)),
              ElementsAre(std::pair(0, 2), std::pair(2, 2)));
}

TEST(HelpTable, HelpsNobodyWhoWouldNotTakeIt) {
  HelpTable help = table(true, {0, 4, 40});
  help.accept_help(8, false);
  EXPECT_THAT(pairs(help.distribute({0, 0}, 4, second_per_item)), ElementsAre(std::pair(4, 4)));
}

std::vector<int> shares(std::vector<std::int64_t> items, int ranks, const Forecast& forecast) {
  return shares_by_load(items, ranks, forecast);
}

TEST(SharesByLoad, AreInProportion) {
  EXPECT_THAT(shares({10, 20, 0, 30}, 12, second_per_item), ElementsAre(2, 4, 0, 6));
  EXPECT_THAT(shares({1, 1, 1000}, 4, second_per_item), ElementsAre(1, 1, 2));
  EXPECT_THAT(shares({0, 0}, 4, second_per_item), ElementsAre(0, 0));
  const Forecast falling{[](int ranks) { return ranks < 3 ? 1.0 / ranks : 1.0; },
                         [](int) { return 0.0; }, [](int) { return 0.0; }};
  EXPECT_THAT(shares({5, 5}, 8, falling), ElementsAre(2, 2));
}

// A chain that needs so many ranks that their efficiency is below 1/2 gets them all at once: later
// they would help less.
TEST(SharesByLoad, GiveALongChainAllThatItNeedsAtOnce) {
  const Forecast amdahl{[](int ranks) { return 0.05 + 0.95 / ranks; }, [](int) { return 0.0; },
                        [](int) { return 0.0; }};
  std::vector<std::int64_t> items(100, 10);
  items.push_back(200);
  const std::vector<int> given = shares(items, 200, amdahl);
  EXPECT_GE(given.back(), 40);
  EXPECT_EQ(*std::ranges::min_element(given), 1);
}

}  // namespace
}  // namespace regroup::load_table_test
