// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/csv.hpp"

#include <gmock/gmock.h>

#include "kernel/text/plain_text.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CsvFile : public TextFile {
 public:
  using TextFile::TextFile;
  std::string mistake() const {
    return TextFile::mistake<UserError>([&] { read_csv(path()); });
  }
};

TEST(Csv, EveryTextIsReadBackAsItWasWritten) {
  const std::vector<std::string> texts{"",     "a b",  " a",    "b\t", "a,b",  "\"",   "a\"b",
                                       "a\nb", "=1+1", "+x",    "-x",  "@x",   "-",    "'",
                                       "''",   "'=1",  "''-x",  "'a",  "-1.5", "+2 %", "1e300",
                                       "-inf", "=\"",  "'=,\"", "ü",   "-1+1", "- 1",  "+"};
  const CsvFile file("a,b\n" + [&] {
    std::string rows;
    for (const std::string& text : texts) rows += csv_line({text, "x"}) + csv_line({"x", text});
    return rows;
  }());
  const CsvTable table = read_csv(file.path());
  ASSERT_EQ(table.rows.size(), 2 * texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_THAT(table.rows[2 * i], ElementsAre(texts[i], "x"));
    EXPECT_THAT(table.rows[2 * i + 1], ElementsAre("x", texts[i]));
  }
}

TEST(Csv, OnlyWhatASpreadsheetTakesForAFormulaGetsAnApostrophe) {
  EXPECT_EQ(csv_line({"=1", "+a", "-a", "@a", "'=1"}), "'=1,'+a,'-a,'@a,''=1\n");
  EXPECT_EQ(csv_line({"-1", "-1.5e-3", "+1.2 %", "-nan", "a=b", "'a"}),
            "-1,-1.5e-3,+1.2 %,-nan,a=b,'a\n");
}

TEST(Csv, RowsKnowTheirLines) {
  const CsvFile file("a,b\n1,\"x\ny\"\r\n2,z\n");
  const CsvTable table = read_csv(file.path());
  EXPECT_THAT(table.lines, ElementsAre(2, 4));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("1", "x\ny"), ElementsAre("2", "z")));
}

TEST(Csv, WhatIsNoRowIsNamedWithItsLine) {
  const auto mistake = [](std::string_view text) { return CsvFile(text).mistake(); };
  EXPECT_EQ(mistake("a,b\n1,2\n"), "none");
  EXPECT_THAT(mistake(""), HasSubstr(":1: there is no header row"));
  EXPECT_THAT(mistake("a,b"), HasSubstr(":1: there is no header row"));
  EXPECT_THAT(mistake("a,b\n1\n"), HasSubstr(":2: 1 fields instead of 2"));
  EXPECT_THAT(mistake("a,b\n1,2\n1,2,3\n"), HasSubstr(":3: 3 fields instead of 2"));
  EXPECT_THAT(mistake("a,b\n\n1,2\n"), HasSubstr(":2: an empty line"));
  EXPECT_THAT(mistake("a,b\n1,2\n3,\"4\n5,6\n"),
              HasSubstr(":3: a quote in this row is not closed"));
  EXPECT_THAT(mistake("a,b\n1,2\n3,\"4\n5,\"6\"\n"), HasSubstr(":3: a quote stands in the middle"));
  EXPECT_THAT(mistake("a,b\n1,\"2\"3\n"), HasSubstr(":2: a quote stands in the middle"));
  EXPECT_THAT(mistake("a,b\n1,2\n3,4"), HasSubstr(":3: the last row has no end of line"));
  EXPECT_THAT(mistake("a,b\n1,\"2\n\xE9\"\n"), HasSubstr(":3: byte 0xE9 is no UTF-8"));
  EXPECT_THAT(mistake("a,b\n1,2\rx\n"), HasSubstr(":2: control character U+000D"));
}

TEST(Csv, WhatIsNoFileOfItsOwnIsNotRead) {
  EXPECT_THROW(read_csv("/no/such/file"), UserError);
  EXPECT_THROW(read_csv("/dev/null"), UserError);
  EXPECT_THROW(read_csv("/tmp"), UserError);
}

}  // namespace
}  // namespace regroup
