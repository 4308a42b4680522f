// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "kernel/text/table.hpp"

namespace regroup {
namespace {

const std::vector<Cells> rows{{"name", "µs"}, {"a", "10"}, {"longer", "5"}};

TEST(TextTable, AlignsColumnsByCharactersAndNotByBytes) {
  EXPECT_EQ(text_table(rows, {0}),
            "name    µs\n"
            "a       10\n"
            "longer   5\n");
}

TEST(TextTable, AlignsToTheRightWhatIsNotNamed) {
  EXPECT_EQ(text_table(rows, {}),
            "  name  µs\n"
            "     a  10\n"
            "longer   5\n");
}

TEST(TextTable, CanBeMarkdown) {
  EXPECT_EQ(text_table({{"a", "b"}, {"1", "22"}}, {}, true),
            "| a |  b |\n"
            "|---|----|\n"
            "| 1 | 22 |\n");
}

}  // namespace
}  // namespace regroup
