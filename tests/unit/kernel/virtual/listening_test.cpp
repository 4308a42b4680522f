// SPDX-License-Identifier: BSD-3-Clause
//
// Messages that wait while a group works: the balancers there are never let two wait, so a scripted
// one does.
#include <gmock/gmock.h>

#include "engines/virtual/engine.hpp"
#include "tests/scripted.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

/// Rank 0 does an item, and meanwhile ranks 1 and 2 send it a message each. It is shown one and
/// does all that is left, while the other one waits. The items that it had left whenever it
/// decided.
std::vector<std::int64_t> left_with_a_message_waiting(bool listening) {
  std::vector<std::int64_t> left;
  RunInput run;
  run.ranks = 3;
  run.groups = {{0, 0}, {1, 1}, {2, 2}};
  run.items = {4, 0, 0};
  run.item_time = ItemTime([](int) { return 1.0; }, 0, 1);
  run.balancer = std::make_shared<Scripted>([&](const Knowledge& known) -> Decision {
    if (known.group.leader() > 0) return {Stop{}, {{0, {}}}};
    const std::int64_t items = known.group.chain.items_left;
    left.push_back(items);
    EXPECT_EQ(known.message.has_value(), left.size() == 2 || left.size() == 3);
    if (items == 4) return {Work{1, false}, {}};
    if (items > 0) return {Work{items, listening}, {}};
    return {Stop{}, {}};
  });
  simulate(run);
  return left;
}

TEST(EngineWithAMessageWaiting, LetsAGroupThatDoesNotListenDoAllItsItems) {
  EXPECT_THAT(left_with_a_message_waiting(false), ElementsAre(4, 3, 0));
}

TEST(EngineWithAMessageWaiting, LetsAGroupThatListensDoOneItem) {
  EXPECT_THAT(left_with_a_message_waiting(true), ElementsAre(4, 3, 2, 0));
}

}  // namespace
}  // namespace regroup
