// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

TEST(TerminalText, TakesAColumnForEachCharacterAndTwoWhereThatMayBeWide) {
  EXPECT_EQ(width_of(""), 0u);
  EXPECT_EQ(width_of("abc"), 3u);
  EXPECT_EQ(width_of("3 µs × 2 …"), 10u);
  EXPECT_EQ(width_of("漢字"), 4u);
}

TEST(TerminalText, IsCutToFitWithAnEllipsis) {
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdef", 5), "abcd…");
  EXPECT_EQ(fitted("abcdef", 1), "…");
  EXPECT_EQ(fitted("abcdef", 0), "");
  EXPECT_EQ(fitted("a漢字", 4), "a漢…");
  EXPECT_EQ(fitted("a漢字", 3), "a…") << "no half of a character";
  for (std::size_t columns = 0; columns < 12; ++columns) {
    EXPECT_LE(width_of(fitted("µ漢×字… and", columns)), columns);
  }
}

TEST(TerminalText, IsFoldedBetweenWords) {
  EXPECT_EQ(folded("one two three", 20, 4), "one two three");
  EXPECT_EQ(folded("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(folded("one two", 6, 0), "one\ntwo");
  EXPECT_EQ(folded("one two", 7, 0), "one two");
  EXPECT_EQ(folded("one endlessword two", 6, 2), "one\n  endlessword\n  two");
  EXPECT_EQ(folded("", 6, 2), "");
}

}  // namespace
}  // namespace regroup
