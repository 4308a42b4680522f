// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/sorted_blocks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace regroup::sorted_blocks_test {
namespace {

using Entry = std::pair<int, int>;

struct First {
  int operator()(const Entry& entry) const { return entry.first; }
};
using Blocks = SortedBlocks<Entry, First>;

std::vector<Entry> entries(const Blocks& blocks) {
  std::vector<Entry> all;
  for (const Entry& entry : blocks.entries()) all.push_back(entry);
  return all;
}

void expect_equal(const Blocks& blocks, const std::map<int, int>& map) {
  EXPECT_EQ(entries(blocks), std::vector<Entry>(map.begin(), map.end()));
  EXPECT_EQ(blocks.size(), map.size());
  ASSERT_EQ(blocks.empty(), map.empty());
  if (map.empty()) return;
  EXPECT_EQ(blocks.front(), Entry(*map.begin()));
  EXPECT_EQ(blocks.back(), Entry(*map.rbegin()));
}

TEST(SortedBlocks, KeepWhatAMapKeeps) {
  std::mt19937 random(1);
  const auto below = [&](int end) { return static_cast<int>(random() % unsigned(end)); };
  for (const int keys : {3, 200, 5000}) {
    Blocks blocks;
    std::map<int, int> map;
    for (int round = 0; round < 6; ++round) {
      const bool grows = round % 2 == 0;
      for (int i = 0; i < 3 * keys; ++i) {
        const int key = below(keys);
        if (below(4) != (grows ? 0 : 1)) {
          if (grows) {
            blocks.insert({key, i});
            map[key] = i;
          } else {
            EXPECT_EQ(blocks.erase(key), map.erase(key) > 0);
          }
        }
        const Entry* found = blocks.find(key);
        ASSERT_EQ(found != nullptr, map.contains(key));
        EXPECT_TRUE(found == nullptr || *found == Entry(*map.find(key)));
      }
      expect_equal(blocks, map);
    }
    while (!blocks.empty()) {
      map.erase(blocks.front().first);
      blocks.erase(blocks.front().first);
    }
    expect_equal(blocks, map);
  }
}

TEST(SortedBlocks, AreMadeOfSortedEntries) {
  std::vector<Entry> sorted;
  for (int i = 0; i < 1000; ++i) sorted.emplace_back(3 * i, i);
  Blocks blocks(sorted);
  EXPECT_EQ(entries(blocks), sorted);
  blocks.insert({-1, 0});
  blocks.insert({1501, 0});
  EXPECT_EQ(blocks.size(), 1002u);
  EXPECT_EQ(blocks.front(), Entry(-1, 0));
  EXPECT_NE(blocks.find(1501), nullptr);
  EXPECT_EQ(blocks.find(1502), nullptr);
}

}  // namespace
}  // namespace regroup::sorted_blocks_test
