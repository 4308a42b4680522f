// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup::text_test {
namespace {

using namespace std::string_view_literals;

std::string what(std::string_view text, std::string_view allowed = "") {
  const auto fault = fault_in(text, allowed);
  return fault ? std::to_string(fault->at) + ": " + fault->what : "none";
}

TEST(PlainText, FaultsAreFoundAtTheirPlace) {
  EXPECT_EQ(what(""), "none");
  EXPECT_EQ(what("a − ü, Ω, 走, 🚶"), "none");
  EXPECT_EQ(what("caf\xE9 au lait"), "3: byte 0xE9 is not UTF-8");
  EXPECT_EQ(what("\xC0\x80"), "0: byte 0xC0 is not UTF-8") << "a NUL in disguise";
  EXPECT_EQ(what("ab\xC3"), "2: byte 0xC3 is not UTF-8") << "half a letter";
  EXPECT_EQ(what("a\0b"sv), "1: control character U+0000");
  EXPECT_EQ(what("a\x1b[31m"), "1: control character U+001B");
  EXPECT_EQ(what("\x7f"), "0: control character U+007F");
  EXPECT_EQ(what("ab\xC2\x9B"), "2: control character U+009B") << "begins an escape sequence, too";
  EXPECT_EQ(what("a\tb\nc", "\t\n"), "none");
  EXPECT_EQ(what("a\tb\nc", "\t"), "3: control character U+000A");
}

TEST(PlainText, OneLineHoldsNothingThatIsNoPlainText) {
  EXPECT_EQ(one_line("all is lost"), "all is lost");
  EXPECT_EQ(one_line("a\nb\x1b[1m\xE9\xC2\x9B.\0"sv), "a\uFFFDb\uFFFD[1m\uFFFD\uFFFD.\uFFFD");
}

const std::vector<std::string> balancers{"none", "collective", "asynchronous", "two_sided",
                                         "spread"};

TEST(DidYouMean, FindsTheNearestWordOfAFewSlips) {
  EXPECT_EQ(did_you_mean("colective", balancers), " (did you mean 'collective'?)");
  EXPECT_EQ(did_you_mean("nnoe", balancers), " (did you mean 'none'?)") << "two changed places";
  EXPECT_EQ(did_you_mean("Two-Sided", balancers), " (did you mean 'two_sided'?)");
  EXPECT_EQ(did_you_mean("spraed!", balancers), " (did you mean 'spread'?)");
  const std::vector<std::string> words{"idup", "dup", "dup_with_info"};
  EXPECT_EQ(did_you_mean("ddup", words), " (did you mean 'idup'?)");
  EXPECT_EQ(did_you_mean("dups", words), " (did you mean 'dup'?)");
}

TEST(DidYouMean, CompletesWhatOnlyOneWordBeginsWith) {
  EXPECT_EQ(did_you_mean("async", balancers), " (did you mean 'asynchronous'?)");
  EXPECT_EQ(did_you_mean("as", balancers), "") << "of three letters at least";
  EXPECT_EQ(did_you_mean("comm_", std::vector<std::string>{"comm_split", "comm_create"}), "");
}

TEST(DidYouMean, FindsTheOnlyWordThatHasItBehindALine) {
  const std::vector<std::string> keys{"rank_order", "group_size", "trace_file", "items_file"};
  EXPECT_EQ(did_you_mean("order", keys), " (did you mean 'rank_order'?)");
  EXPECT_EQ(did_you_mean("rder", keys), "") << "a whole part of it";
  EXPECT_EQ(did_you_mean("file", keys), "") << "of two nobody knows which";
}

TEST(DidYouMean, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("greedy", balancers), "");
  EXPECT_EQ(did_you_mean("", balancers), "");
  EXPECT_EQ(did_you_mean("x", std::vector<std::string>{"y"}), "") << "nothing of the word is left";
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'n'), balancers), "");
  EXPECT_EQ(did_you_mean("none", std::vector<std::string>{}), "");
}

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
  EXPECT_EQ(folded("one two three", 8, 4, 4), "one\n    two\n    three");
  EXPECT_EQ(folded("one two", 8, 2, 1), "one two");
  EXPECT_EQ(folded("", 6, 2), "");
}

const std::vector<Cells> rows{{"name", "µs"}, {"a", "10"}, {"longer", "5"}};

TEST(TextTable, AlignsColumnsByCharactersAndNotByBytes) {
  EXPECT_EQ(text_table(rows, {0}),
            "name    µs\n"
            "a       10\n"
            "longer   5\n");
  EXPECT_EQ(text_table(rows, {}),
            "  name  µs\n"
            "     a  10\n"
            "longer   5\n");
  EXPECT_EQ(text_table({{"a", "b"}, {"1", "22"}}, {}, true),
            "| a |  b |\n"
            "|---|----|\n"
            "| 1 | 22 |\n");
}

}  // namespace
}  // namespace regroup::text_test
