// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <numeric>

#include "driver/config/selection.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::vector<Portion> on(std::initializer_list<int> processes) {
  std::vector<Portion> portions;
  for (const int number : processes) portions.push_back({number, 1});
  return portions;
}

TEST(Shard, IsTwoNumbers) {
  const Shard shard = shard_from("2/3");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.of, 3);
  EXPECT_EQ(shard_from("3/3").number, 3);
}

TEST(Shard, OfWhatThereIsNotIsRefused) {
  for (const char* wrong : {"", "/", "1", "x/y", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "1.5/3"}) {
    EXPECT_THAT([&] { shard_from(wrong); }, ThrowsMessage<UserError>(HasSubstr(wrong))) << wrong;
  }
}

TEST(Division, HasEveryTaskOnceAndNoShardEmpty) {
  std::vector<Portion> portions;
  for (int i = 0; i < 23; ++i) portions.push_back({1 << (i % 4), 1 + 1000 * (i % 5)});
  for (int shards = 1; shards <= 23; ++shards) {
    Places all;
    for (const Places& own : divide(portions, shards)) {
      EXPECT_THAT(own, Not(IsEmpty())) << shards;
      EXPECT_TRUE(std::ranges::is_sorted(own)) << shards;
      all.insert(all.end(), own.begin(), own.end());
    }
    std::ranges::sort(all);
    Places expected(portions.size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    EXPECT_EQ(all, expected) << shards;
    EXPECT_EQ(divide(portions, shards).size(), static_cast<std::size_t>(shards));
  }
}

TEST(Division, MixesNoSizesWhereThereAreEnoughShards) {
  EXPECT_THAT(divide(on({4, 8, 4, 8}), 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  const std::vector<Portion> unequal{{4, 1}, {8, 9}, {8, 9}};
  EXPECT_THAT(divide(unequal, 2), ElementsAre(ElementsAre(0), ElementsAre(1, 2)));
}

TEST(Division, MixesNeighboursWhereThereAreNot) {
  EXPECT_THAT(divide(on({8, 4, 2, 1}), 2), ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1)));
}

TEST(Division, GivesMostShardsToTheSizeThatTakesLongest) {
  const std::vector<Portion> portions{{4, 1}, {8, 5}, {4, 1}, {8, 5}};
  EXPECT_THAT(divide(portions, 3), ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3)));
}

TEST(Division, GivesNoSizeMoreShardsThanItHasTasks) {
  const std::vector<Portion> portions{{4, 1}, {8, 1000}, {4, 1}};
  EXPECT_THAT(divide(portions, 3), ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(1)));
}

TEST(Division, IsByTimeAndNotByNumber) {
  const std::vector<Portion> portions{{4, 6}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}};
  EXPECT_THAT(divide(portions, 2), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4, 5, 6)));
}

TEST(Division, LeavesTheOrderOfTheConfiguration) {
  EXPECT_THAT(divide(on({4, 4, 4, 4}), 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

}  // namespace
}  // namespace regroup
