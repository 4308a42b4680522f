// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <array>

#include "driver/store/columns.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum Content::Type;

TEST(Content, HasTheUnitThatTheNameOfItsColumnEndsIn) {
  EXPECT_EQ(unit_of("makespan_s"), "s");
  EXPECT_EQ(unit_of("item_ms"), "ms");
  EXPECT_EQ(unit_of("latency_us"), "µs");
  EXPECT_EQ(unit_of("bandwidth_mb_s"), "MB/s");
  EXPECT_EQ(unit_of("memory_mb"), "MB");
  EXPECT_EQ(unit_of("state_bytes"), "byte");
  for (const char* none : {"ranks", "regroups_avg", "s", "efficiency"}) {
    EXPECT_EQ(unit_of(none), "") << none;
  }
}

TEST(Content, OfAnOptionIsThatOfItsValues) {
  constexpr std::array<std::string_view, 2> words{"known", "unknown"};
  EXPECT_EQ(content_of(integer_option("a", "1", 0, 9, "")).type, integer);
  EXPECT_EQ(content_of(real_option("a", "1", 0, 9, "")).type, number);
  EXPECT_EQ(content_of(file_option("a", "")).type, text);
  const Content choices = content_of(choice_option("a", "known", words, ""));
  EXPECT_EQ(choices.type, choice);
  EXPECT_THAT(choices.words, ElementsAre("known", "unknown"));
}

TEST(Content, OfTwoKindsTakesBoth) {
  const Content words =
      either(content::one_of({"a", "b"}), content::maybe(content::one_of({"b", "c"})));
  EXPECT_EQ(words.type, choice);
  EXPECT_THAT(words.words, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(words.may_be_empty);
  EXPECT_EQ(either(content::integer, content::number).type, number);
  EXPECT_EQ(either(content::integer, content::integer).type, integer);
  const Content both = either(content::number, content::one_of({"a"}));
  EXPECT_EQ(both.type, text);
  EXPECT_THAT(both.words, IsEmpty());
}

TEST(Content, OfAChoiceHasWordsAndOfNothingElse) {
  for (const char* kind : {"run", "creation", "collectives", "steps", "items", "sort"}) {
    for (const ResultColumn& column : columns_of(kind)) {
      EXPECT_EQ(column.content.type == choice, !column.content.words.empty()) << column.name;
    }
  }
}

}  // namespace
}  // namespace regroup
