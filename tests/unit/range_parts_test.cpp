// SPDX-License-Identifier: BSD-3-Clause
//
// Tests the process-local parts of range communicators: contexts of messages, and trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory_resource>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "communicators/range/members.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"
#include "tests/long_tests.hpp"

namespace regroup::range::range_parts_test {
namespace {

Context of_ranks(const Context& of, const std::vector<int>& ranks) {
  std::pmr::vector<RankRuns::Run> runs;
  for (const int rank : ranks) add_run(runs, rank, 1);
  return with_members(of, runs);
}

TEST(Context, OfMembersThatAreARangeIsThatOfTheRange) {
  const Context world{0, 0, 0, 99, 1, 0};
  EXPECT_EQ(of_ranks(world, {16, 22, 28, 34}), (Context{0, 0, 16, 34, 6, 0}));
  EXPECT_EQ(of_ranks(world, {25}), (Context{0, 0, 25, 25, 1, 0}));
  EXPECT_EQ(of_ranks({3, 4, 1, 21, 2, 77}, {5, 6, 7}), (Context{3, 4, 5, 7, 1, 77}));
}

TEST(Context, OfOtherMembersDependsOnTheirOrder) {
  const Context world{0, 0, 0, 99, 1, 0};
  EXPECT_EQ(of_ranks(world, {1, 2, 5}), of_ranks(world, {1, 2, 5}));
  EXPECT_NE(of_ranks(world, {1, 2, 5}), of_ranks(world, {5, 1, 2}));
  EXPECT_NE(of_ranks(world, {1, 2, 5}), of_ranks(world, {1, 2, 6}));
  EXPECT_EQ(of_ranks(world, {2, 1}).stride, 0);
}

TEST(Context, OfCreationsWithDifferentTagsDoesNotDependOnTheirOrder) {
  const Context world{0, 0, 0, 9, 1, 0};
  CreationLog one;
  CreationLog other;
  const Context members{0, 0, 2, 5, 1, 0};
  const Context first = one.child(world, members, 7).context;
  const Context second = one.child(world, members, 8).context;
  EXPECT_NE(first, second);
  EXPECT_EQ(other.child(world, members, 8).context, second);
  EXPECT_EQ(other.child(world, members, 7).context, first);
}

// Creates many communicators among 64 processes with a log each: ranges of existing communicators,
// with few tags and often the same range, and groups that are no range. Each member computes the
// contexts on its own.
TEST(Context, ManyRandomCreationsAgreeAmongMembersAndDoNotCollide) {
  constexpr int processes = 64;
  const int creations = long_tests() ? 1'000'000 : 100'000;
  std::mt19937 random(20180521);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };

  struct Communicator {
    Context context;
    std::vector<int> members;
  };
  std::array<CreationLog, processes> logs;
  std::vector<int> everybody(processes);
  for (int p = 0; p < processes; ++p) everybody[static_cast<std::size_t>(p)] = p;
  std::vector<Communicator> parents{{{0, 0, 0, processes - 1, 1, 0}, everybody}};
  const auto key = [](const Context& c) { return std::tuple(c.a, c.b, c.f, c.l, c.stride, c.c); };
  std::set<decltype(key(Context{}))> seen{key(parents[0].context)};

  int collisions = 0;
  int disagreements = 0;
  for (int i = 0; i < creations; ++i) {
    const Communicator& parent =
        parents[static_cast<std::size_t>(draw(static_cast<int>(parents.size())))];
    const int size = static_cast<int>(parent.members.size());
    Communicator made;
    if (draw(8) != 0) {
      const int first = draw(size);
      const int stride = 1 + draw(3);
      const int last = first + draw(std::min(8, (size - 1 - first) / stride + 1)) * stride;
      const int tag = draw(4);
      for (int r = first; r <= last; r += stride) {
        made.members.push_back(parent.members[static_cast<std::size_t>(r)]);
      }
      for (const int member : made.members) {
        const Context context =
            logs[static_cast<std::size_t>(member)]
                .child(parent.context, of_ranks(parent.context, made.members), tag)
                .context;
        if (member == made.members[0]) made.context = context;
        disagreements += context != made.context;
      }
    } else {
      made.members = parent.members;
      std::ranges::shuffle(made.members, random);
      made.members.resize(static_cast<std::size_t>(1 + draw(size)));
      const int first = made.members[0];
      made.context = logs[static_cast<std::size_t>(first)].fresh_context(
          first, of_ranks(parent.context, made.members));
    }
    collisions += !seen.insert(key(made.context)).second;
    if (parents.size() < 500) {
      parents.push_back(made);
    } else {
      parents[static_cast<std::size_t>(1 + draw(499))] = made;
    }
  }
  EXPECT_EQ(collisions, 0);
  EXPECT_EQ(disagreements, 0);
}

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
}  // namespace regroup::range::range_parts_test
