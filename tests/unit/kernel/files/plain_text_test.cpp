// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/plain_text.hpp"

#include <gmock/gmock.h>

namespace regroup {
namespace {

using namespace std::string_view_literals;

std::string what(std::string_view text, std::string_view allowed = "") {
  const auto fault = fault_in(text, allowed);
  return fault ? std::to_string(fault->at) + ": " + fault->what : "none";
}

TEST(PlainText, LettersOfAllScriptsAreNoFault) {
  EXPECT_EQ(what(""), "none");
  EXPECT_EQ(what("a − ü, Ω, 走, 🚶"), "none");
}

TEST(PlainText, AByteThatIsNoUtf8IsFoundAtItsPlace) {
  EXPECT_EQ(what("caf\xE9 au lait"), "3: byte 0xE9 is no UTF-8");
  EXPECT_EQ(what("\xC0\x80"), "0: byte 0xC0 is no UTF-8") << "a NUL in disguise";
  EXPECT_EQ(what("ab\xC3"), "2: byte 0xC3 is no UTF-8") << "half a letter";
}

TEST(PlainText, ControlCharactersAreFoundWhereTheyAreNotAllowed) {
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

}  // namespace
}  // namespace regroup
