// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <string>

#include "library/task.hpp"

namespace regroup {
namespace {

TEST(EventDetail, IsWhatWasAskedForHoweverManyRanksThereAre) {
  for (const int ranks : {1, most_ranks_with_events, 1 << 20}) {
    EXPECT_EQ(event_detail("all", ranks), EventDetail::all);
    EXPECT_EQ(event_detail("summary", ranks), EventDetail::summary);
    EXPECT_EQ(event_detail("none", ranks), EventDetail::none);
  }
}

TEST(EventDetail, FollowsTheRanksWhereNothingIsAskedFor) {
  EXPECT_EQ(event_detail("auto", 1), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events + 1), EventDetail::summary);
}

TEST(EventDetail, HasANameThatIsReadBack) {
  for (const EventDetail detail : {EventDetail::all, EventDetail::summary, EventDetail::none}) {
    EXPECT_EQ(event_detail_named(name(detail)), detail);
  }
  EXPECT_EQ(event_detail_named("auto"), std::nullopt);
  EXPECT_EQ(event_detail_named(""), std::nullopt);
}

TEST(EventDetail, SaysInItsHelpUpToWhichSize) {
  EXPECT_THAT(std::string(events_key.help),
              testing::HasSubstr(std::to_string(most_ranks_with_events)));
}

}  // namespace
}  // namespace regroup
