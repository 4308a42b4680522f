// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engines/audit/audit.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/rules.hpp"
#include "library/resolve.hpp"
#include "regroup/costs.hpp"
#include "tests/decisions.hpp"
#include "tests/tasks.hpp"

namespace regroup::virtual_regrouping_test {
namespace {

using decisions::group;
using testing::ElementsAre;

// Divisions and exchanges of ranks and chains in virtual time, and their effects on balancers and
// messages. The built-in balancers rarely do this, so the tests use scripted ones.

using Ranges = std::vector<RankRange>;
using Items = std::vector<std::int64_t>;

/// Returns a run of groups with the given numbers of items, which take a second on any group.
RunInput run_of(Ranges groups, Items items, std::shared_ptr<const Balancer> balancer) {
  RunInput run;
  run.ranks = groups.back().hi + 1;
  run.groups = std::move(groups);
  run.items = std::move(items);
  run.balancer = std::move(balancer);
  run.item_time = ItemTime([](int) { return 1.0; }, 0, 1);
  return run;
}

RunInput run_of(Ranges groups, Items items, Scripted::Script script, Scripted::Plan plan = {}) {
  return run_of(std::move(groups), std::move(items),
                std::make_shared<Scripted>(std::move(script), std::move(plan)));
}

RankSet both(int one, int other) { return RankSet::of({{one, one}, {other, other}}); }

Decision do_all_or_stop(const Knowledge& known) {
  const std::int64_t items = known.group.chain.items_left;
  if (items > 0) return {Work{items, false}, {}};
  return {Stop{}, {}};
}

/// The ranks, walker, items and times of a group's life.
struct Life {
  RankSet ranks;
  int walker;
  std::int64_t before, after;
  double formed_s, ended_s;
  friend bool operator==(const Life&, const Life&) = default;
  friend void PrintTo(const Life& life, std::ostream* out) {
    *out << text_of(life.ranks) << " (walker " << life.walker << ": " << life.before << " to "
         << life.after << " items, " << life.formed_s << " to " << life.ended_s << " s)";
  }
};

std::vector<Life> lives_of(const RunInput& run, const Costs& costs = {}) {
  const Outcome outcome = simulate(run, costs);
  EXPECT_EQ(first_violation(outcome.lives, run.groups, run.items), std::nullopt);
  std::vector<Life> lives;
  for (const GroupLife& life : outcome.lives) {
    lives.push_back({life.ranks, life.walker, life.items_before, life.items_after, life.formed_s,
                     life.ended_s});
  }
  return lives;
}

// ---- the groups

/// Executes one item, and then regroups to `groups`.
Scripted::Script regrouping_after_an_item(std::vector<Group> groups) {
  return [=](const Knowledge& known) -> Decision {
    const Chain& chain = known.group.chain;
    if (chain == Chain{0, 4}) return {Work{1, false}, {}};
    const bool is_new = std::ranges::any_of(
        groups, [&](const Group& one) { return one.ranks == known.group.ranks; });
    return is_new ? do_all_or_stop(known) : Decision{Regroup{groups}, {}};
  };
}

TEST(EngineThatRegroups, LetsAGroupDivideAlone) {
  const auto script = regrouping_after_an_item({group({0, 1}, {0, 3}), group({2, 3})});
  EXPECT_THAT(lives_of(run_of({{0, 3}}, {4}, script)),
              ElementsAre(Life{{0, 3}, 0, 4, 3, 0, 1}, Life{{0, 1}, 0, 3, 0, 1, 4},
                          Life{{2, 3}, -1, 0, 0, 1, 1}));
}

TEST(EngineThatRegroups, LetsThePartThatDidNotLeadGoOnWithTheChain) {
  const auto script = regrouping_after_an_item({group(both(0, 2)), group(both(1, 3), {0, 3})});
  EXPECT_THAT(lives_of(run_of({{0, 3}}, {4}, script)),
              ElementsAre(Life{{0, 3}, 0, 4, 3, 0, 1}, Life{both(0, 2), -1, 0, 0, 1, 1},
                          Life{both(1, 3), 0, 3, 0, 1, 4}));
}

TEST(EngineThatRegroups, LetsAGroupDivideWhileOthersWork) {
  const auto script = regrouping_after_an_item({group({0, 0}, {0, 3}), group({1, 1})});
  const auto others_work = [=](const Knowledge& known) {
    return known.group.leader() >= 2 ? do_all_or_stop(known) : script(known);
  };
  EXPECT_THAT(lives_of(run_of({{0, 1}, {2, 3}}, {4, 9}, others_work)),
              ElementsAre(Life{{0, 1}, 0, 4, 3, 0, 1}, Life{{2, 3}, 2, 9, 0, 0, 9},
                          Life{{0, 0}, 0, 3, 0, 1, 4}, Life{{1, 1}, -1, 0, 0, 1, 1}));
}

TEST(EngineThatRegroups, LetsTwoGroupsExchangeRanks) {
  const std::vector<Group> groups{group(both(0, 3), {0, 3}), group({1, 2}, {2, 5})};
  const auto script = [=](const Knowledge& known) -> Decision {
    const int leader = known.group.leader();
    if (known.group == groups[0] || known.group == groups[1]) return do_all_or_stop(known);
    if (leader == 0 && known.group.chain.items_left == 4) return {Work{1, false}, {}};
    if (leader == 2 && known.group.chain.items_left == 7) return {Work{2, false}, {}};
    return known.group.chain.items_left == 0 ? do_all_or_stop(known)
                                             : Decision{Regroup{groups}, {}};
  };
  EXPECT_THAT(lives_of(run_of({{0, 1}, {2, 3}}, {4, 7}, script)),
              ElementsAre(Life{{0, 1}, 0, 4, 3, 0, 1}, Life{{2, 3}, 2, 7, 5, 0, 2},
                          Life{both(0, 3), 0, 3, 0, 2, 5}, Life{{1, 2}, 2, 5, 0, 2, 7}));
}

TEST(EngineThatRegroups, HandsAChainOverThoughAllRanksStay) {
  const std::vector<Group> groups{group({0, 1}), group({2, 3}, {0, 4})};
  const auto script = [=](const Knowledge& known) -> Decision {
    const bool at_first = known.group.chain == Chain{0, 4} ? known.group.leader() == 0
                                                           : known.group.chain == Chain{2, 0};
    return at_first ? Decision{Regroup{groups}, {}} : do_all_or_stop(known);
  };
  const Outcome outcome = simulate(run_of({{0, 1}, {2, 3}}, {4, 0}, script));
  EXPECT_EQ(outcome.lives[2].executed_max, 0);
  EXPECT_EQ(outcome.lives[3].executed_min, 4);
  EXPECT_EQ(outcome.makespan_s(), 4);
  EXPECT_THAT(lives_of(run_of({{0, 1}, {2, 3}}, {4, 0}, script)),
              ElementsAre(Life{{0, 1}, 0, 4, 4, 0, 0}, Life{{2, 3}, 2, 0, 0, 0, 0},
                          Life{{0, 1}, -1, 0, 0, 0, 0}, Life{{2, 3}, 0, 4, 0, 0, 4}));
}

TEST(EngineThatRegroups, KeepsApartGroupsThatRegroupAtTheSameTime) {
  // Rank 0 merges with 3, and 1 with 2, which arrives a second later.
  const auto script = [](const Knowledge& known) -> Decision {
    if (known.group.ranks.size() == 2) return do_all_or_stop(known);
    switch (known.group.leader()) {
      case 0:
      case 3:
        return {merged(both(0, 3), {3, 5}), {}};
      case 2:
        if (known.group.chain.items_left == 3) return {Work{1, false}, {}};
        [[fallthrough]];
      default:
        return {merged({1, 2}, {2, 2}), {}};
    }
  };
  EXPECT_THAT(lives_of(run_of({{0, 0}, {1, 1}, {2, 2}, {3, 3}}, {0, 0, 3, 5}, script)),
              ElementsAre(Life{{0, 0}, 0, 0, 0, 0, 0}, Life{{1, 1}, 1, 0, 0, 0, 0},
                          Life{{2, 2}, 2, 3, 2, 0, 1}, Life{{3, 3}, 3, 5, 5, 0, 0},
                          Life{both(0, 3), 3, 5, 0, 0, 5}, Life{{1, 2}, 2, 2, 0, 1, 3}));
}

/// Returns the costs of a run of four ranks.
Costs costs(const Options& options, const char* communicator) {
  Task run = virtual_run({{"ranks", "4"}, {"communicator", communicator}});
  run.run().costs = cost_model("free", options);
  return costs_of(run);
}

TEST(EngineThatRegroups, FormsEveryGroupWhenItsOwnRanksKnowAndInItsOwnTime) {
  // Group 4-5 comes at once and tells its ranks in 1 s; 0-3 comes after an item and takes 2 s.
  const std::vector<Group> groups{group(RankSet::of({{0, 3}, {5, 5}}), {0, 3}), group({4, 4})};
  const auto lives =
      lives_of(run_of({{0, 3}, {4, 5}}, {4, 0}, regrouping_after_an_item(groups)),
               costs({{"tell_members_us", "1e6"}, {"group_creation_us", "1e7"}}, "create_group"));
  ASSERT_EQ(lives.size(), 4u);
  EXPECT_EQ(lives[0].ended_s, 2 + 1);
  EXPECT_EQ(lives[1].ended_s, 0);
  EXPECT_NEAR(lives[2].formed_s, 3 + 2 + 10 * 2.321928094887362, 1e-9);
  EXPECT_EQ(lives[3].formed_s, 3);
}

TEST(EngineThatRegroups, TellsTheMembersOfAGroupWithGapsWhereRangesAreFree) {
  for (const bool gaps : {false, true}) {
    const auto halves = gaps ? std::vector{group(both(0, 2), {0, 3}), group(both(1, 3))}
                             : std::vector{group({0, 1}, {0, 3}), group({2, 3})};
    const auto lives = lives_of(run_of({{0, 3}}, {4}, regrouping_after_an_item(halves)),
                                costs({{"tell_members_us", "1e6"}}, "icreate_group"));
    ASSERT_EQ(lives.size(), 3u);
    // Four ranks are told to work, work, and are told to regroup; groups with gaps tell their two.
    EXPECT_EQ(lives[0].ended_s, 3);
    EXPECT_EQ(lives[1].formed_s, 5 + (gaps ? 1 : 0));
    EXPECT_EQ(lives[2].formed_s, 5 + (gaps ? 1 : 0));
  }
}

// ---- exchanges

TEST(EngineThatRegroups, LetsAPlanDivideGroups) {
  const auto script = [](const Knowledge& known) -> Decision {
    if (known.group.ranks.size() == 2 && known.group.leader() != 1) return do_all_or_stop(known);
    return {Exchange{}, {}};
  };
  const auto plan = [](std::span<const Group> groups) {
    EXPECT_THAT(groups,
                ElementsAre(group({0, 0}, {0, 0}), group({1, 2}, {1, 3}), group({3, 3}, {3, 0})));
    return std::vector{group({0, 1}), group({2, 3}, {1, 3})};
  };
  EXPECT_THAT(lives_of(run_of({{0, 0}, {1, 2}, {3, 3}}, {0, 3, 0}, script, plan)),
              ElementsAre(Life{{0, 0}, 0, 0, 0, 0, 0}, Life{{1, 2}, 1, 3, 3, 0, 0},
                          Life{{3, 3}, 3, 0, 0, 0, 0}, Life{{0, 1}, -1, 0, 0, 0, 0},
                          Life{{2, 3}, 1, 3, 0, 0, 3}));
}

TEST(EngineThatRegroups, LetsAPlanHandChainsOverAndLeavesTheOtherGroupsAsTheyAre) {
  Items exchanged(3, 0);
  const auto script = [&](const Knowledge& known) -> Decision {
    if (exchanged[static_cast<std::size_t>(known.group.leader())]++ == 0) return {Exchange{}, {}};
    return do_all_or_stop(known);
  };
  const auto plan = [](std::span<const Group> groups) {
    return std::vector{group({2, 2}, {0, 4}), groups[1], group({0, 0}, {2, 2})};
  };
  EXPECT_THAT(lives_of(run_of({{0, 0}, {1, 1}, {2, 2}}, {4, 3, 2}, script, plan)),
              ElementsAre(Life{{0, 0}, 0, 4, 4, 0, 0}, Life{{1, 1}, 1, 3, 0, 0, 3},
                          Life{{2, 2}, 2, 2, 2, 0, 0}, Life{{0, 0}, 2, 2, 0, 0, 2},
                          Life{{2, 2}, 0, 4, 0, 0, 4}));
}

TEST(EngineThatRegroups, TakesAPlanInAnyOrder) {
  const auto script = [](const Knowledge& known) -> Decision {
    if (known.group.chain.walker == Chain::none) return {Stop{}, {}};
    if (known.group.chain.items_left > 0) return {Work{1, false}, {}};
    return {Exchange{}, {}};
  };
  int exchanges = 0;
  const auto plan = [&](std::span<const Group> groups) {
    if (++exchanges == 1) return std::vector{groups[3], group({0, 1}, {1, 0}), groups[2]};
    return std::vector{group({2, 3}), group({0, 1})};
  };
  const auto lives = lives_of(run_of({{0, 0}, {1, 1}, {2, 2}, {3, 3}}, {0, 0, 1, 0}, script, plan));
  ASSERT_EQ(lives.size(), 7u);
  EXPECT_EQ(lives[4], (Life{{0, 1}, 1, 0, 0, 1, 1}));
}

TEST(EngineThatRegroups, ShowsAPlanTheGroupsWithGapsByTheirLeaders) {
  std::vector<std::vector<Group>> shown;
  const std::vector<Group> one{group({1, 2}), group(both(0, 3), {0, 1})};
  const auto script = [](const Knowledge& known) -> Decision {
    if (known.group.ranks.size() == 4) return do_all_or_stop(known);
    return {Exchange{}, {}};
  };
  const auto plan = [&](std::span<const Group> groups) {
    shown.emplace_back(groups.begin(), groups.end());
    return shown.size() == 1 ? one : std::vector{group({0, 3}, {0, 1})};
  };
  simulate(run_of({{0, 1}, {2, 3}}, {1, 0}, script, plan));
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_THAT(shown[1], ElementsAre(one[1], one[0]));
}

// ---- balancers

/// Counts its decisions and appends each to a list: leader, count and note.
class Counting final : public Balancer {
 public:
  struct Entry {
    int leader;
    int count;
    std::vector<std::int64_t> note;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  Counting(Scripted::Script script, std::vector<Entry>& told)
      : script_(std::move(script)), told_(told) {}

  Decision decide(const Knowledge& known) override {
    told_.push_back({known.group.leader(), ++count_, known.group.note});
    return script_(known);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Counting>(*this); }
  std::vector<std::int64_t> memory() const override { return {count_}; }

 private:
  Scripted::Script script_;
  std::vector<Entry>& told_;
  int count_ = 0;
};

TEST(EngineThatRegroups, GivesAFreshLeaderAFreshBalancerAndItsNote) {
  std::vector<Counting::Entry> told;
  // Group 0-1 divides, merges, divides again and stops.
  const auto script = [](const Knowledge& known) -> Decision {
    const auto& note = known.group.note;
    if (note.empty()) return {Regroup{{group({0, 0}, {}, {7, 1}), group({1, 1}, {}, {8, 1})}}, {}};
    if (note == std::vector<std::int64_t>{9}) {
      return {Regroup{{group({0, 0}, {}, {7, 2}), group({1, 1}, {}, {8, 2})}}, {}};
    }
    if (note[1] == 1) return {Regroup{{group({0, 1}, {}, {9})}}, {}};
    return {Stop{}, {}};
  };
  simulate(run_of({{0, 1}}, {0}, std::make_shared<Counting>(script, told)));
  using Entry = Counting::Entry;
  EXPECT_THAT(told, ElementsAre(Entry{0, 1, {}}, Entry{0, 2, {7, 1}}, Entry{1, 1, {8, 1}},
                                Entry{0, 3, {9}}, Entry{0, 4, {7, 2}}, Entry{1, 1, {8, 2}}));
}

// ---- messages

/// Sender and number of each message.
using Letters = std::vector<std::pair<int, std::int64_t>>;

/// The group up to rank 9 executes an item and then sends each number in `letters` to its rank.
/// Meanwhile the others regroup from `groups` to `after` and wait for the `expected` letters.
std::map<int, Letters> received(const Ranges& groups, const std::vector<Group>& after,
                                const std::vector<std::pair<int, std::int64_t>>& letters,
                                std::map<int, std::size_t> expected) {
  std::map<int, Letters> inboxes;
  const auto script = [&](const Knowledge& known) -> Decision {
    const int leader = known.group.leader();
    if (known.group.ranks.hi() == 9) {
      if (known.group.chain.items_left > 0) return {Work{1, false}, {}};
      Decision sends{Stop{}, {}};
      for (const auto& [to, number] : letters) {
        sends.send.push_back({to, {0, 77, {}, {number}}});
      }
      return sends;
    }
    const bool is_new = std::ranges::any_of(after, [&](const Group& one) {
      return one.ranks == known.group.ranks && one.chain == known.group.chain;
    });
    if (!is_new) return {Regroup{after}, {}};
    Letters& inbox = inboxes[leader];
    if (known.message) inbox.emplace_back(known.message->from, known.message->numbers[0]);
    if (inbox.size() < expected[leader]) return {Wait{}, {}};
    return {Stop{}, {}};
  };
  Ranges all = groups;
  all.push_back({groups.back().hi + 1, 9});
  Items items(all.size(), 0);
  items.back() = 1;
  simulate(run_of(std::move(all), std::move(items), script));
  std::erase_if(inboxes, [](const auto& inbox) { return inbox.second.empty(); });
  return inboxes;
}

using Inboxes = std::map<int, Letters>;

TEST(EngineThatRegroups, BringsAMessageToWhoeverLeadsItsRank) {
  // To a rank that never led.
  EXPECT_EQ(received({{0, 3}}, {group({0, 3})}, {{2, 5}, {3, 6}}, {{0, 2}}),
            (Inboxes{{0, {{4, 5}, {4, 6}}}}));
  // To a rank that no longer leads.
  EXPECT_EQ(received({{0, 1}, {2, 3}}, {group({0, 3})}, {{2, 5}, {0, 6}, {3, 7}}, {{0, 3}}),
            (Inboxes{{0, {{4, 6}, {4, 5}, {4, 7}}}}));
  // To a rank that became a leader.
  EXPECT_EQ(received({{0, 3}}, {group(both(0, 2)), group(both(1, 3))},
                     {{0, 5}, {1, 6}, {2, 7}, {3, 8}}, {{0, 2}, {1, 2}}),
            (Inboxes{{0, {{4, 5}, {4, 7}}}, {1, {{4, 6}, {4, 8}}}}));
  // To a rank that has changed its leader.
  EXPECT_EQ(received({{0, 1}, {2, 3}}, {group(both(0, 2)), group(both(1, 3))}, {{2, 5}, {3, 6}},
                     {{0, 1}, {1, 1}}),
            (Inboxes{{0, {{4, 5}}}, {1, {{4, 6}}}}));
}

/// Rank 1 waits to merge with 0 and meanwhile receives two messages from 2, unread when it ceases
/// to lead. Returns the messages shown to 0-1.
Letters passed_on(const std::vector<Group>& after) {
  Letters shown;
  const auto script = [&](const Knowledge& known) -> Decision {
    const int leader = known.group.leader();
    if (leader == 2 && known.group.ranks.size() == 1) {
      return {Stop{}, {{1, {0, 0, {}, {5}}}, {1, {0, 0, {}, {6}}}}};
    }
    if (known.group.chain.items_left > 0) return {Work{1, false}, {}};
    if (known.group.ranks.size() == 1) return {Regroup{after}, {}};
    if (known.message) shown.emplace_back(known.message->from, known.message->numbers[0]);
    return shown.size() < 2 ? Decision{Wait{}, {}} : Decision{Stop{}, {}};
  };
  lives_of(run_of({{0, 0}, {1, 1}, {2, 2}}, {1, 0, 0}, script));
  return shown;
}

TEST(EngineThatRegroups, PassesUnreadMessagesOfOneWhoLeadsNoMoreOnInTheirOrder) {
  EXPECT_THAT(passed_on({group({0, 1})}), ElementsAre(std::pair(2, 5), std::pair(2, 6)));
}

TEST(EngineThatRegroups, KeepsTheUnreadMessagesOfALeaderThatGoesOn) {
  Letters shown;
  const auto script = [&](const Knowledge& known) -> Decision {
    const int leader = known.group.leader();
    if (leader == 2) return {Stop{}, {{0, {0, 0, {}, {5}}}}};
    if (known.group.chain == Chain{1, 1}) return {Work{1, false}, {}};
    if (known.group.chain.walker != Chain::none) {
      return {Regroup{{group({0, 0}), group({1, 1})}}, {}};
    }
    if (known.message) shown.emplace_back(leader, known.message->numbers[0]);
    return leader == 0 && shown.empty() ? Decision{Wait{}, {}} : Decision{Stop{}, {}};
  };
  lives_of(run_of({{0, 0}, {1, 1}, {2, 2}}, {0, 1, 0}, script));
  EXPECT_THAT(shown, ElementsAre(std::pair(0, 5)));
}

// ---- waiting walkers

/// Returns a run of two ranks with an item of walker 0, and then two items of walker 2.
RunInput run_with_a_queue(Scripted::Script script) {
  RunInput run = run_of({{0, 1}}, {1}, std::move(script));
  run.queue = Queue({{2, 2, 1}}, 2);
  return run;
}

TEST(EngineWithAQueue, LetsAGroupGoOnWithItsLineAndKeepItsCommunicator) {
  const Costs costs = costs_of(
      virtual_run({{"ranks", "2"}, {"costs", "bluegene_p"}, {"communicator", "create_group"}}));
  ASSERT_GT(costs.create(RankSet(0, 1)), 2 * costs.tell(2));
  const std::vector<GroupLife> lives = simulate(run_with_a_queue(do_all_or_stop), costs).lives;
  ASSERT_EQ(lives.size(), 2u);
  EXPECT_EQ(lives[0].ended, Turn::next);
  EXPECT_EQ(lives[1].began, Turn::next);
  EXPECT_EQ(lives[1].walker, 2);
  EXPECT_EQ(lives[1].items_before, 2);
  EXPECT_NEAR(lives[1].formed_s - lives[0].ended_s, costs.tell(2), 1e-9);
}

/// Returns the message of the error that ends `run`, or "none".
std::string mistake(const RunInput& run) {
  try {
    simulate(run);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

TEST(EngineWithAQueue, CatchesAWalkerThatIsTakenUpTwiceOrWithOtherItems) {
  const auto two_groups = [](std::int64_t items) {
    auto run = run_of({{0, 0}, {1, 1}}, {0, 0}, [=](const Knowledge& known) -> Decision {
      if (known.group.chain.walker == 5) return do_all_or_stop(known);
      return {taken_up(known.group, {5, items, 1}), {}};
    });
    run.queue = Queue({{5, 2, 1}}, 1);
    return run;
  };
  EXPECT_EQ(mistake(two_groups(2)),
            "group 1 takes over 2 items of walker 5, which none of group 1 has at 0 s");
  EXPECT_EQ(mistake(two_groups(3)),
            "group 0 takes over 3 items of walker 5, which none of group 0 has at 0 s");
}

TEST(EngineWithAQueue, CatchesAWalkerThatNobodyTakesUp) {
  auto run = run_with_a_queue(do_all_or_stop);
  run.queue = Queue({{5, 2, 1}}, 2);
  EXPECT_EQ(mistake(run), "all have stopped, and walkers wait at 1 s");
}

}  // namespace
}  // namespace regroup::virtual_regrouping_test
