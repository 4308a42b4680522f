// SPDX-License-Identifier: BSD-3-Clause
//
// Scripted regroupings of every kind on real processes: groups divide, give ranks to each other and
// hand over chains.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engines/audit/audit.hpp"
#include "engines/mpi/engine.hpp"
#include "kernel/starting_groups.hpp"
#include "regroup/strategy.hpp"
#include "tests/decisions.hpp"
#include "tests/mpi/fixtures.hpp"

namespace regroup::regroupings_test {
namespace {

using decisions::stop;
using decisions::wait;
using decisions::work;
using testing::UnorderedElementsAreArray;

constexpr double item_s = 0.001;

/// Returns the groups that have ranks.
std::vector<Group> present(std::vector<Group> groups) {
  std::erase_if(groups, [](const Group& group) { return group.ranks.empty(); });
  return groups;
}

RunInput run_of(int group_size, std::vector<std::int64_t> items, Scripted balancer,
                std::string_view strategy = "create_group") {
  RunInput run;
  run.ranks = world().ranks;
  run.groups = initial_groups(world().ranks, group_size);
  items.resize(run.groups.size(), 0);
  run.items = std::move(items);
  run.balancer = std::make_shared<Scripted>(std::move(balancer));
  run.item_time = ItemTime([](int) { return item_s; }, 0, 1);
  run.strategy = *find_entry(strategies(), strategy);
  return run;
}

/// Executes `run`; returns its audited lives on rank 0.
std::vector<GroupLife> executed(const RunInput& run) {
  const RealRun real{run.strategy->make, sleeping()};
  Processes processes(crowded_waiting(), MPI_COMM_WORLD);
  const Outcome outcome = execute(std::make_shared<const RunInput>(run), real, processes);
  if (world().rank != 0) return {};
  TimeLaw law;
  law.least_s = [](const GroupLife& life) {
    return item_s * static_cast<double>(life.items_before - life.items_after);
  };
  law.clocks_apart_s = 1e-3;
  law.resolution_s = 1e-6;
  EXPECT_EQ(first_violation(outcome.lives, run.groups, run.items, &law), std::nullopt);
  EXPECT_EQ(outcome.communicators_left, 0);
  return outcome.lives;
}

std::string life(const RankSet& ranks, int walker, int before, int after) {
  return fmt::format("{}: {}, {} to {}", text_of(ranks), walker, before, after);
}

// ---- one group divides

/// Returns the act of the script, which is stored in the group's note.
std::int64_t act(const Group& group) { return group.note.empty() ? 0 : group.note.front(); }

/// A group of all ranks divides into its even and odd ranks, the even ranks hand the chain over to
/// the odd ranks, and all merge again. A waiting group is notified by a message to an ordinary
/// member.
Decision weaving(const Knowledge& known) {
  const Group& own = known.group;
  const auto regroup = [&](std::vector<Group> groups) {
    return Decision{Regroup{present(std::move(groups))}, {}};
  };
  const Chain chain = known.message ? Chain{0, known.message->numbers[0]} : own.chain;
  const RankSet other = known.message ? known.message->ranks : RankSet();
  switch (act(own)) {
    case 0:
      if (own.chain.items_left == 6) return work(2);
      return regroup({{even_ranks(), own.chain, {1}}, {odd_ranks(), {}, {1}}});
    case 1: {
      if (own.leader() == 1 && !known.message) return wait();
      if (own.chain.items_left == 4) return work(1);
      const bool alone = known.ranks == 1;
      Decision decision =
          regroup({{own.leader() == 0 ? own.ranks : other, alone ? chain : Chain{}, {2}},
                   {own.leader() == 0 ? odd_ranks() : own.ranks, chain, {2}}});
      if (own.leader() == 0 && !alone) {
        decision.send = {{odd_ranks().hi(), {1, 0, own.ranks, {chain.items_left}}}};
      }
      return decision;
    }
    case 2: {
      if (own.chain.items_left > 0) return work(own.chain.items_left);
      if (own.chain.walker == Chain::none && !known.message) return wait();
      Decision decision =
          regroup({{united(own.ranks, other.empty() ? even_ranks() : other), {0, 0}, {3}}});
      if (own.leader() == 1) decision.send = {{even_ranks().hi(), {2, 0, own.ranks, {}}}};
      return decision;
    }
    default:
      return stop();
  }
}

TEST(Regroupings, DivideAGroupHandItsChainOverAndMakeItWholeAgain) {
  const auto lives = executed(run_of(world().ranks, {6}, Scripted(weaving)));
  if (world().rank != 0) return;
  std::vector<std::string> expected{life(all_ranks(), 0, 6, 4)};
  if (world().ranks == 1) {
    expected.insert(expected.end(), {life({0, 0}, 0, 4, 3), life({0, 0}, 0, 3, 0)});
  } else {
    expected.insert(expected.end(), {life(even_ranks(), 0, 4, 3), life(even_ranks(), -1, 0, 0),
                                     life(odd_ranks(), -1, 0, 0), life(odd_ranks(), 0, 3, 0)});
  }
  expected.push_back(life(all_ranks(), 0, 0, 0));
  EXPECT_THAT(told(lives), UnorderedElementsAreArray(expected));
  EXPECT_EQ(told(lives).front(), expected.front());
  EXPECT_EQ(told(lives).back(), expected.back());
}

// ---- parts of a group join others

/// The groups of act 1: rank 0 and every second group of the others, and rank 1 and the rest.
struct Halves {
  RankSet left, right;
};
Halves halves() {
  std::vector<RankRange> left{{0, 0}};
  std::vector<RankRange> right;
  if (world().ranks > 1) right.push_back({1, 1});
  const auto groups = initial_groups(world().ranks, 2);
  for (std::size_t i = 1; i < groups.size(); ++i) {
    (i % 2 == 1 ? left : right).push_back(groups[i]);
  }
  return {RankSet::of(left), RankSet::of(right)};
}

/// The number of decisions of each balancer on this process.
struct Seen {
  std::vector<int> decisions;
};

/// Initial groups have two ranks, and the first group has all the work. It divides, and each of its
/// ranks becomes the leader of half of the other groups. The right half takes the chain, gets all
/// ranks but one from the left half while it works, and finally that rank.
class Giving {
 public:
  explicit Giving(Seen& seen) : seen_(&seen) {}

  Decision operator()(const Knowledge& known) {
    if (decisions_ == 0) {
      place_ = seen_->decisions.size();
      seen_->decisions.push_back(0);
    }
    seen_->decisions[place_] = ++decisions_;
    const Group& own = known.group;
    const auto [left, right] = halves();
    if (act(own) == 0) {
      const Chain chain{0, 6};
      if (own.leader() != 0 && !known.message) return wait();
      if (own.chain.items_left == 8) return work(2);
      Decision decision{
          Regroup{present({{left, right.empty() ? chain : Chain{}, {1}}, {right, chain, {1}}})},
          {}};
      if (own.leader() == 0) {
        for (const RankRange group : initial_groups(known.ranks, 2)) {
          if (group.lo > 0) decision.send.push_back({group.hi, {}});
        }
      }
      return decision;
    }
    if (right.empty()) return own.chain.items_left > 0 ? work(own.chain.items_left) : stop();
    if (own.leader() == 0 && own.chain.walker != 0 && !known.message) return wait();
    const RankSet most(1, known.ranks - 1);
    Decision decision;
    if (act(own) == 1) {
      if (own.chain.items_left == 6) return work(3);
      decision.next = Regroup{{{{0, 0}, {}, {2}}, {most, {0, 3}, {2}}}};
    } else if (act(own) == 2) {
      if (own.chain.items_left > 0) return work(own.chain.items_left);
      decision.next = Regroup{{{{0, most.hi()}, {0, 0}, {3}}}};
    } else {
      return stop();
    }
    if (own.leader() == 1) decision.send = {{own.leader() - 1, {}}};
    return decision;
  }

 private:
  Seen* seen_;
  std::size_t place_ = 0;
  int decisions_ = 0;
};

TEST(Regroupings, LetPartsOfAGroupJoinOthersAndGroupsGiveEachOtherRanks) {
  Seen seen;
  const auto lives = executed(run_of(2, {8}, Scripted(Giving(seen))));
  // A leader that continues keeps its balancer; a new leader gets a new one. Messages may reach
  // rank 0 before it waits for them.
  const bool led = world().rank == 1 || world().rank % 2 == 0;
  EXPECT_EQ(seen.decisions.size(), led ? 1u : 0u);
  const int decisions = led ? seen.decisions.front() : 0;
  if (world().rank == 1) {
    EXPECT_EQ(decisions, 2 + 2);
  } else if (world().rank == 0 && world().ranks > 1) {
    EXPECT_GE(decisions, 2 + 1 + 1 + 1);
  }
  if (world().rank != 0) return;
  const auto [left, right] = halves();
  std::vector<std::string> expected;
  for (const RankRange group : initial_groups(world().ranks, 2)) {
    const int items = group.lo == 0 ? 8 : 0;
    expected.push_back(life(group, group.lo, items, std::max(0, items - 2)));
  }
  if (world().ranks == 1) {
    expected.push_back(life(left, 0, 6, 0));
  } else {
    const RankSet most(1, world().ranks - 1);
    expected.insert(expected.end(),
                    {life(left, -1, 0, 0), life(right, 0, 6, 3), life({0, 0}, -1, 0, 0),
                     life(most, 0, 3, 0), life(all_ranks(), 0, 0, 0)});
  }
  EXPECT_THAT(told(lives), UnorderedElementsAreArray(expected));
}

// ---- exchanges that divide groups

/// Alternates items and exchanges; stops when all ranks are one group.
class Exchanging {
 public:
  Decision operator()(const Knowledge& known) {
    const std::int64_t items = known.group.chain.items_left;
    worked_ = items > 0 && !worked_;
    if (worked_) return work(1);
    if (items == 0 && known.group.ranks.size() == known.ranks) return stop();
    return {Exchange{}, {}};
  }

 private:
  bool worked_ = false;
};

/// All initial groups have four items. After the first item, each divides into its first rank and
/// the others, which take the chain under a leader that never led. After the second, the first
/// ranks become one group with many gaps; after the third, this group divides again; after the
/// last, all merge.
std::vector<Group> exchanged(std::span<const Group> groups) {
  std::vector<Group> after;
  std::vector<RankSet> reserve;
  std::int64_t items = 0;
  for (const Group& group : groups) items = std::max(items, group.chain.items_left);
  for (const Group& group : groups) {
    const int size = group.ranks.size();
    if (items == 3 && size > 1) {
      after.push_back({group.ranks.slice(0, 1), {}, {}});
      after.push_back({group.ranks.slice(1, size - 1), group.chain, {}});
    } else if (items == 2 && group.chain.walker == Chain::none) {
      reserve.push_back(group.ranks);
    } else if (items == 1 && group.chain.walker == Chain::none) {
      for (int i = 0; i < size; ++i) after.push_back({group.ranks.slice(i, 1), {}, {}});
    } else {
      after.push_back(group);
    }
  }
  if (!reserve.empty()) after.push_back({united(reserve), {}, {}});
  std::ranges::sort(after, {}, &Group::leader);
  if (items == 0) after = {{all_ranks(), after.front().chain, {}}};
  return after;
}

class Exchanges : public testing::TestWithParam<std::string> {};

TEST_P(Exchanges, DivideGroupsWhoseNewLeadersTakePartInTheNextOne) {
  for (const int group_size : {1, 3}) {
    SCOPED_TRACE(fmt::format("G = {}", group_size));
    const auto starts = initial_groups(world().ranks, group_size);
    const auto lives = executed(run_of(group_size, std::vector<std::int64_t>(starts.size(), 4),
                                       Scripted(Exchanging(), exchanged), GetParam()));
    if (world().rank != 0) continue;
    std::vector<std::string> expected;
    std::vector<RankSet> firsts;
    for (const RankRange group : starts) {
      if (group.size() == 1) {
        expected.push_back(life(group, group.lo, 4, 0));
        continue;
      }
      firsts.emplace_back(group.lo, group.lo);
      expected.push_back(life(group, group.lo, 4, 3));
      expected.push_back(life({group.lo + 1, group.hi}, group.lo, 3, 0));
    }
    for (const RankSet& first : firsts) {
      // A single one does not change.
      for (int i = 0; i < (firsts.size() > 1 ? 2 : 1); ++i) {
        expected.push_back(life(first, -1, 0, 0));
      }
    }
    if (firsts.size() > 1) expected.push_back(life(united(firsts), -1, 0, 0));
    if (world().ranks > 1) {
      expected.push_back(life(all_ranks(), firsts.empty() ? 0 : -1, 0, 0));
    }
    EXPECT_THAT(told(lives), UnorderedElementsAreArray(expected));
    EXPECT_EQ(told(lives).back(), expected.back());
  }
}

/// Every group hands its chain over to the next one until no items are left; then all merge.
std::vector<Group> rotated(std::span<const Group> groups) {
  std::vector<Group> after(groups.begin(), groups.end());
  if (after.front().chain.items_left == 0) return {{all_ranks(), after.front().chain, {}}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    after[(i + 1) % groups.size()].chain = groups[i].chain;
  }
  return after;
}

TEST_P(Exchanges, HandChainsOverFromGroupToGroup) {
  for (const int group_size : {1, 2, 3}) {
    SCOPED_TRACE(fmt::format("G = {}", group_size));
    const auto starts = initial_groups(world().ranks, group_size);
    const std::size_t number = starts.size();
    const auto lives = executed(run_of(group_size, std::vector<std::int64_t>(number, 3),
                                       Scripted(Exchanging(), rotated), GetParam()));
    if (world().rank != 0) continue;
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < number && number > 1; ++i) {
      for (int item = 0; item < 3; ++item) {
        const auto from = (i + 3 * number - static_cast<std::size_t>(item)) % number;
        expected.push_back(life(starts[i], starts[from].lo, 3 - item, 2 - item));
      }
    }
    if (number == 1) {
      expected.push_back(life(all_ranks(), 0, 3, 0));
    } else {
      expected.push_back(life(all_ranks(), starts[(3 * number - 2) % number].lo, 0, 0));
    }
    EXPECT_THAT(told(lives), UnorderedElementsAreArray(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Exchanges,
                         testing::Values("create_group", "comm_split", "comm_create"),
                         [](const auto& test) { return test.param; });

// ---- messages

/// Rank 0 is a group of its own and sends messages before each item. The others are one group, with
/// work for a part of that time; it stops when it has received all messages.
Decision writing(const Knowledge& known, std::vector<std::int64_t>& heard) {
  const Group& own = known.group;
  if (own.leader() == 0) {
    if (own.chain.items_left == 0) return stop();
    Decision decision = work(1);
    const int to = static_cast<int>(own.chain.items_left);
    for (int i = 0; i < 3 && to < known.ranks; ++i) {
      decision.send.push_back({to, {7, -1, strided(0, 100 * i, 2), {to, i}}});
    }
    return decision;
  }
  if (known.message) {
    const std::int64_t to = known.message->numbers[0];
    const std::int64_t i = known.message->numbers[1];
    EXPECT_EQ(known.message->word, 7);
    EXPECT_EQ(known.message->from, 0) << "the engine writes it";
    EXPECT_EQ(known.message->ranks, strided(0, static_cast<int>(100 * i), 2));
    heard.push_back(10 * to + i);
  }
  if (own.chain.items_left > 0) return work(1);
  const bool all = heard.size() == 3 * static_cast<std::size_t>(known.ranks - 1);
  return all ? stop() : wait();
}

TEST(Messages, ReachTheLeaderWhicheverRankOfItsGroupTheyGoTo) {
  std::vector<std::int64_t> heard;
  const auto script = [&](const Knowledge& known) { return writing(known, heard); };
  auto plan = run_of(1, {}, Scripted(script));
  if (world().ranks > 1) {
    plan.groups = {{0, 0}, {1, world().ranks - 1}};
    plan.items = {world().ranks - 1, 5};
  }
  executed(plan);
  if (world().rank != 1) return;
  std::vector<std::int64_t> expected;
  for (int to = 1; to < world().ranks; ++to) {
    for (int i = 0; i < 3; ++i) expected.push_back(10 * to + i);
  }
  EXPECT_THAT(heard, UnorderedElementsAreArray(expected));
}

}  // namespace
}  // namespace regroup::regroupings_test
