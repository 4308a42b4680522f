// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "communicators/range/operation.hpp"

namespace regroup::range {
namespace {

TEST(Tree, ParentsAndChildrenAgreeForEverySizeRootAndWidth) {
  for (const int k : {Tree::halving, 2, 3, 4, 16}) {
    for (int size = 1; size <= 40; ++size) {
      for (int root = 0; root < size; ++root) {
        std::vector<int> parent(static_cast<std::size_t>(size), -1);
        for (int rank = 0; rank < size; ++rank) {
          const Tree tree(rank, size, root, k);
          for (int i = 0; i < tree.children(); ++i) {
            int& claimed = parent[static_cast<std::size_t>(tree.child(i))];
            EXPECT_EQ(claimed, -1);
            claimed = rank;
          }
        }
        for (int rank = 0; rank < size; ++rank) {
          const Tree tree(rank, size, root, k);
          EXPECT_EQ(tree.is_root(), rank == root);
          EXPECT_EQ(parent[static_cast<std::size_t>(rank)], rank == root ? -1 : tree.parent());
        }
      }
    }
  }
}

TEST(Tree, SubtreesOfATreeRootedAtRankZeroAreContiguousAndInOrder) {
  for (const int k : {Tree::halving, 2, 3, 4, 16}) {
    for (int size = 1; size <= 300; ++size) {
      for (int rank = 0; rank < size; ++rank) {
        const Tree tree(rank, size, 0, k);
        int next = rank + 1;
        for (int i = 0; i < tree.children(); ++i) {
          EXPECT_EQ(tree.child(i), next);
          EXPECT_EQ(tree.child_end(i), Tree(next, size, 0, k).end());
          next = tree.child_end(i);
        }
        EXPECT_EQ(tree.end(), next);
      }
    }
  }
}

TEST(Tree, HalvesAreOfTheSameDepth) {
  for (int size = 1; size <= 300; ++size) {
    for (int rank = 0; rank < size; ++rank) {
      int above = 0;
      for (int at = rank; at != 0; at = Tree(at, size, 0, Tree::halving).parent()) ++above;
      EXPECT_LE(1 << above, size);
      EXPECT_LE(Tree(rank, size, 0, Tree::halving).children(), 2);
    }
  }
}

}  // namespace
}  // namespace regroup::range
