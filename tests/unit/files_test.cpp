// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/files.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernel/check.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/text/plain_text.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::files_test {
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

TEST(Csv, RowsKnowTheirLines) {
  const CsvFile file("a,b\n1,\"x\ny\"\r\n2,z\n");
  const CsvTable table = read_csv(file.path());
  EXPECT_THAT(table.lines, ElementsAre(2, 4));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("1", "x\ny"), ElementsAre("2", "z")));
}

TEST(Csv, AByteOrderMarkAndLineEndsOfWindowsAreNoContent) {
  const CsvFile file(
      "\xEF\xBB\xBF"
      "a,b\r\n1,x\r\n2,\xC3\xBC\r\n");
  const CsvTable table = read_csv(file.path());
  EXPECT_THAT(table.columns, ElementsAre("a", "b"));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("1", "x"), ElementsAre("2", "ü")));
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
  EXPECT_THAT(mistake("a,b\n1,2\n3,\"4\n5,\"6\"\n"), HasSubstr(":3: a quote in the middle"));
  EXPECT_THAT(mistake("a,b\n1,\"2\"3\n"), HasSubstr(":2: a quote in the middle"));
  EXPECT_THAT(mistake("a,b\n1,2\n3,4"), HasSubstr(":3: the last row has no end of line"));
  EXPECT_THAT(mistake("a,b\n1,\"2\n\xE9\"\n"), HasSubstr(":3: byte 0xE9 is not UTF-8"));
  EXPECT_THAT(mistake("a,b\n\xEF\xBB\xBF"
                      "1,2\n"),
              HasSubstr(":2: control character U+FEFF"));
  EXPECT_THAT(mistake("a,b\n1,2\rx\n"), HasSubstr(":2: control character U+000D"));
}

TEST(Csv, WhatIsNoFileOfItsOwnIsNotRead) {
  EXPECT_THROW(read_csv("/no/such/file"), UserError);
  EXPECT_THROW(read_csv("/dev/null"), UserError);
  EXPECT_THROW(read_csv("/tmp"), UserError);
}

TEST(Failures, AreLoggedALineEach) {
  const std::string outcome = testing::TempDir() + "last_words_test";
  const std::string file = failure_file(outcome);
  std::filesystem::remove(file);
  const auto end = [&](const char* why) {
    log_failures_of(outcome);
    check(false, why);
  };
  EXPECT_DEATH(end("a group\nworks"), "regroup: internal error: a group works \\(.*\\.cpp:");
  EXPECT_DEATH(end("once more"), "regroup: internal error: once more");
  const std::string text = read_file(file).value_or("");
  EXPECT_TRUE(text.starts_with("regroup: internal error: a group works ("));
  EXPECT_NE(text.find("\nregroup: internal error: once more ("), std::string::npos);
  EXPECT_TRUE(text.ends_with(")\n"));
  std::filesystem::remove(file);
}

TEST(Failures, AreLoggedWhereAProcessIsTerminated) {
  const std::string outcome = testing::TempDir() + "told_to_end_test";
  for (const int number : ending_signals) {
    std::filesystem::remove(failure_file(outcome));
    const auto end = [&] {
      log_failures_of(outcome);
      std::raise(number);
    };
    EXPECT_EXIT(end(), testing::KilledBySignal(number), "");
    EXPECT_EQ(read_file(failure_file(outcome)), terminated_line);
  }
  std::filesystem::remove(failure_file(outcome));
}

class WriteFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.path(name); }
  std::string text(const std::string& name) const { return read_file(path(name)).value_or("none"); }

 private:
  TestDirectory directory_;
};

TEST_F(WriteFile, ADraftTakesItsPlaceWholeOrNotAtAll) {
  replace_file(path("a"), "old");
  {
    Draft draft(path("a"));
    draft.write("ne");
    draft.write("w");
    EXPECT_EQ(draft.size(), 3u);
    draft.finish();
    EXPECT_EQ(text("a"), "old");
  }
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(text("a.new"), "none") << "a draft that is given up goes away";
  Draft draft(path("a"));
  draft.write("new");
  draft.finish();
  draft.install();
  EXPECT_EQ(text("a"), "new");
}

TEST_F(WriteFile, AppendingNeedsAFile) {
  EXPECT_THROW(append_whole(path("a"), "x"), std::runtime_error);
  EXPECT_EQ(text("a"), "none");
  replace_file(path("a"), "old");
  append_whole(path("a"), "new");
  EXPECT_EQ(text("a"), "oldnew");
}

}  // namespace
}  // namespace regroup::files_test
