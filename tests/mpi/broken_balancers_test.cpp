// SPDX-License-Identifier: BSD-3-Clause
//
// What a broken balancer does to a run on real processes: it ends all of them, with the words of
// the law. So each run has a launch of its own: this program starts itself once more, as the ranks.
#include <gmock/gmock.h>
#include <mpi.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engines/mpi/engine.hpp"
#include "regroup/communicator.hpp"
#include "tests/decisions.hpp"
#include "tests/mpi/fixtures.hpp"

namespace regroup::broken_balancers_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// ---- the ranks

/// Three groups of one rank each.
struct Play {
  std::vector<std::int64_t> items;
  Scripted::Script script;
};

Decision work(std::int64_t items) { return {Work{items, false}, {}}; }
Decision stop() { return {Stop{}, {}}; }

/// The ranks 0 and 1 merge at once, do the items of their group, and stop.
Play regrouping(std::vector<std::int64_t> items, Regroup regroup) {
  return {std::move(items), [regroup](const Knowledge& known) -> Decision {
            if (known.group.leader() == 2) return stop();
            if (known.group.ranks.size() == 1) return {regroup, {}};
            const std::int64_t left = known.group.chain.items_left;
            return left > 0 ? work(left) : stop();
          }};
}

Play merging(std::vector<std::int64_t> items, Chain chain) {
  return regrouping(std::move(items), merged({0, 1}, chain));
}

Outgoing word_to_one(int word) { return {1, {word, 0, {}, {}}}; }

/// Each of the ranks 1 and 2 has an item. Rank 2 sends rank 1 a word, which begins with its own
/// item then and listens; and two more words behind its item, which ends first. Rank 1 merges as
/// soon as it is shown the first of these; the leader of its new group stops when it was shown the
/// second. However late somebody is, each word is shown, and in this order.
Decision writing(const Knowledge& known) {
  const std::int64_t left = known.group.chain.items_left;
  if (known.group.leader() == 2) {
    if (left > 0) return {work(1).next, {word_to_one(2)}};
    return {stop().next, {word_to_one(1), word_to_one(0)}};
  }
  if (known.group.leader() == 0 && known.group.ranks.size() == 1) {
    return {merged({0, 1}, {1, 0}), {}};
  }
  if (!known.message) return {Wait{}, {}};
  switch (known.message->word) {
    case 2:
      return {Work{1, true}, {}};
    case 1:
      return {merged({0, 1}, {1, 0}), {}};
    default:
      return known.group.ranks.size() == 2 && known.message->from == 2 ? stop() : work(1);
  }
}

const std::map<std::string, Play>& plays() {
  static const std::map<std::string, Play> all{
      {"right", merging({0, 4, 0}, {1, 4})},
      {"an item less", merging({0, 4, 0}, {1, 3})},
      {"an item more", merging({0, 4, 0}, {1, 5})},
      {"another walker", merging({0, 4, 0}, {0, 4})},
      {"lost items", merging({3, 0, 0}, {1, 0})},
      {"a lost rank", regrouping({0, 4, 0}, {{{{1, 1}, {1, 4}, {}}}})},
      {"a rank twice", regrouping({0, 4, 0}, {{{{0, 1}, {1, 4}, {}}, {{1, 1}, {}, {}}}})},
      {"a chain twice", regrouping({0, 4, 0}, {{{{0, 0}, {1, 4}, {}}, {{1, 1}, {1, 4}, {}}}})},
      {"an unread message", {{0, 1, 1}, writing}},
  };
  return all;
}

void take_part(const Play& play) {
  constexpr double item_s = 0.1;
  RunInput run;
  run.ranks = 3;
  run.groups = {{0, 0}, {1, 1}, {2, 2}};
  run.items = play.items;
  run.balancer = std::make_shared<Scripted>(play.script);
  run.item_time = ItemTime([](int) { return item_s; }, 0, 1);
  run.strategy = *find_entry(strategies(), "create_group");
  const Hands hands{find_entry(strategies(), "create_group")->make, sleeping(), "polite"};
  execute(std::move(run), hands, MPI_COMM_WORLD);
}

// ---- the tests

constexpr const char* lost_four =
    "group 0-1 forms, and 4 items of walker 1 are lost that group 1 had left";

struct Ended {
  int status;  // of the launcher, as wait() tells it
  std::string said;
};

Ended played(const std::string& play) {
  const char* launcher = std::getenv("REGROUP_LAUNCHER");
  EXPECT_NE(launcher, nullptr) << "how three ranks are launched";
  if (launcher == nullptr) return {};
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = std::string(launcher) + " '" + self + "' '" + play + "' 2>&1";
  std::FILE* output = popen(command.c_str(), "r");
  Ended ended{};
  std::array<char, 256> part{};
  while (std::fgets(part.data(), part.size(), output) != nullptr) ended.said += part.data();
  ended.status = pclose(output);
  return ended;
}

void expect_right(const std::string& play) {
  const Ended ended = played(play);
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.said, Not(HasSubstr("internal error")));
}

void expect_broken(const std::string& play, const std::string& what) {
  const Ended ended = played(play);
  EXPECT_NE(ended.status, 0);
  EXPECT_THAT(ended.said, HasSubstr("internal error: " + what));
}

TEST(BrokenBalancer, IsNoneWhereAMergeKeepsTheLaw) { expect_right("right"); }

TEST(BrokenBalancer, IsNoneWhereItMergesWithAMessageUnread) { expect_right("an unread message"); }

TEST(BrokenBalancer, EndsTheRunWhereItsMergeLosesAnItemOrDoesItTwice) {
  expect_broken("an item less", lost_four);
  expect_broken("an item more", lost_four);
}

TEST(BrokenBalancer, EndsTheRunWhereItsMergeGoesOnWithAnotherWalker) {
  expect_broken("another walker", lost_four);
}

TEST(BrokenBalancer, EndsTheRunWhereItsMergeLosesTheItemsOfALeftPart) {
  expect_broken("lost items",
                "group 0-1 forms, and 3 items of walker 0 are lost that group 0 had left");
}

TEST(BrokenBalancer, EndsTheRunWhereARankIsLostOrInTwoGroups) {
  expect_broken("a lost rank", "group 0 becomes group 1, and some of its ranks are lost");
  expect_broken("a rank twice", "group 0-1, group 1 form, and have a rank in common");
}

TEST(BrokenBalancer, EndsTheRunWhereTwoGroupsGoOnWithOneChain) {
  expect_broken("a chain twice", "group 0, group 1 form");
}

}  // namespace
}  // namespace regroup::broken_balancers_test

int main(int argc, char** argv) {
  using namespace regroup::broken_balancers_test;
  const auto play = argc < 2 ? plays().end() : plays().find(argv[1]);
  if (play == plays().end()) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  }
  MPI_Init(&argc, &argv);
  take_part(play->second);
  MPI_Finalize();
}
