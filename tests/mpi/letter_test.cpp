// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engines/mpi/mailbox.hpp"
#include "tests/mpi/letters.hpp"

namespace regroup {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// What arrives: the first part, and what follows it, if anything.
Letter arrived(const Letter& sent) {
  Letter letter;
  std::ranges::copy(sent.first(), letter.first().begin());
  const auto room = letter.make_room();
  EXPECT_EQ(room.size(), sent.rest().size());
  std::ranges::copy(sent.rest(), room.begin());
  return letter;
}

TEST(Letter, TellsTheNumbersInTheirOrderHoweverMany) {
  for (int more = 0; more < 30; ++more) {
    const Letter sent = letter_with(-7, more);
    EXPECT_LE(sent.first().size(), Letter::first_part);
    EXPECT_EQ(sent.first().size() + sent.rest().size(), static_cast<std::size_t>(more) + 2);
    Letter letter = arrived(sent);
    for (int i = 0; i <= more; ++i) EXPECT_EQ(letter.take(), i - 7);
  }
}

TEST(Letter, TellsAReportAndThatItIsNoMessage) {
  const ChainReport report{4095, most, 7, -0.125, 1e300, 12, 11, 0xfedcba9876543210};
  for (const bool ended : {false, true}) {
    const Letter letter = arrived(to_letter(report, ended));
    EXPECT_EQ(notice_in(letter), Notice::report);
    EXPECT_EQ(report_of(letter), std::pair(report, ended));
  }
  EXPECT_EQ(notice_in(letter_of(Notice::enough)), Notice::enough);
  EXPECT_EQ(notice_in(to_letter(Message{-1, 0, {}, {}})), Notice::none);
}

TEST(Letter, OfAMessageOfARangeTravelsAtOnce) {
  EXPECT_TRUE(to_letter({1, 2, {3, 400'000}, {4, 5, 6, 7}}).rest().empty());
}

TEST(Letter, TellsAMessageWithAnyNumbersAndRanks) {
  for (const RankSet& ranks : {RankSet(), RankSet(5, 5), RankSet(0, 2'000'000'000),
                               united({1, 3}, {7, 9}), strided(1, 301, 3)}) {
    const Message message{-3, 1 << 30, ranks, {least, -1, 0, most}};
    EXPECT_EQ(message_of(arrived(to_letter(message))), message);
  }
}

TEST(Letter, TellsGroupsBehindOneAnother) {
  const std::vector<Group> groups{{{0, 3}, {0, most}, {}},
                                  {strided(4, 90, 2), {}, {least, 1, 2, 3}},
                                  {strided(5, 91, 2), {1 << 30, 0}, {-1}},
                                  {{92, 92}, {Chain::none, 5}, {}}};
  Letter letter;
  for (const Group& group : groups) letter.put(group);
  letter = arrived(letter);
  for (const Group& group : groups) EXPECT_EQ(letter.take_group(), group);
}

}  // namespace
}  // namespace regroup
