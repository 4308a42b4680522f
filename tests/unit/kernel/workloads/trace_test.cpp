// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/trace.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "kernel/groups.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

/// A file with `text` that is gone after the test.
class TraceFile {
 public:
  explicit TraceFile(std::string_view text) { std::ofstream(path_) << text; }
  ~TraceFile() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }
  Items items(int groups) const {
    return trace({{"file", path_}}, initial_groups(groups, 1), /*seed=*/1);
  }

  /// What is wrong with it for three groups, without the path in front.
  std::string mistake() const {
    try {
      items(3);
    } catch (const std::invalid_argument& error) {
      const std::string_view text = error.what();
      EXPECT_TRUE(text.starts_with(path_)) << text;
      return std::string(text.substr(std::min(text.size(), path_.size())));
    }
    return "none";
  }

 private:
  std::string path_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST(Trace, ReadsPlainNumbers) {
  EXPECT_THAT(TraceFile("3\n0\n12\n").items(3), ElementsAre(3, 0, 12));
}

TEST(Trace, ReadsTheColumnOfItsName) {
  const TraceFile file("walker,items,note\n0,5,\"long, but fine\"\n1,6,\n2,7,x\n");
  EXPECT_THAT(file.items(3), ElementsAre(5, 6, 7));
}

TEST(Trace, ReadsAColumnAlone) {
  EXPECT_THAT(TraceFile("items\n5\n6\n").items(2), ElementsAre(5, 6));
}

TEST(Trace, MindsNeitherEmptyLinesNorTheLineEndsOfWindows) {
  EXPECT_THAT(TraceFile("items\r\n5\r\n\r\n6").items(2), ElementsAre(5, 6));
}

TEST(Trace, IsAFileOfALimitedSize) {
  const auto items = [](const std::string& path) {
    return [path] { trace({{"file", path}}, initial_groups(3, 1), /*seed=*/1); };
  };
  using testing::HasSubstr;
  using testing::ThrowsMessage;
  EXPECT_THAT(items("/dev/zero"), ThrowsMessage<std::invalid_argument>(HasSubstr("regular")));
  EXPECT_THAT(items("/no/such"), ThrowsMessage<std::invalid_argument>(HasSubstr("be read")));
  const TraceFile file("1\n");
  std::filesystem::resize_file(file.path(), 100'000'001);  // of holes
  EXPECT_THAT(items(file.path()), ThrowsMessage<std::invalid_argument>(HasSubstr("100 MB")));
}

TEST(Trace, NamesTheLineOfABadNumber) {
  EXPECT_EQ(TraceFile("items\n5\nmany\n6\n").mistake(),
            ":3: 'many' is no number of items; allowed: integer from 0 to 1000000000000000");
  EXPECT_THAT(TraceFile("5\n-1\n6\n").mistake(), testing::StartsWith(":2: '-1' is no number"));
  EXPECT_THAT(TraceFile("5\n1.5\n6\n").mistake(), testing::StartsWith(":2: '1.5' is no number"));
}

TEST(Trace, NamesTheLineOfAShortRow) {
  EXPECT_EQ(TraceFile("walker,items\n0,5\n1\n").mistake(), ":3: the row has no column 'items'");
}

TEST(Trace, SaysThatTheColumnIsMissing) {
  EXPECT_EQ(TraceFile("walker,length\n0,5\n").mistake(),
            ":1: neither a number nor a column 'items'");
}

TEST(Trace, NamesTheLineOfAQuoteThatIsNotClosed) {
  EXPECT_THAT(TraceFile("items\n5\n\"6\n7\n").mistake(), testing::StartsWith(":3: no CSV"));
  EXPECT_THAT(TraceFile("items\n5\n6\"\n7\n").mistake(), testing::StartsWith(":3: no CSV"));
}

TEST(Trace, EndsAfterAsManyRowsAsThereCanBeGroups) {
  std::string rows;
  for (int i = 0; i < (1 << 20) + 2; ++i) rows += "5\n";
  EXPECT_EQ(TraceFile(rows).mistake(), ":1048577: more rows than there can be groups");
}

TEST(Trace, SaysHowManyRowsThereAreForHowManyGroups) {
  EXPECT_EQ(TraceFile("5\n6\n").mistake(), ": 2 rows of items for 3 groups");
  EXPECT_EQ(TraceFile("5\n6\n7\n8\n").mistake(), ": 4 rows of items for 3 groups");
  EXPECT_EQ(TraceFile("").mistake(), ": 0 rows of items for 3 groups");
}

TEST(Trace, SaysThatThereIsNoFile) {
  // /dev/zero would never end.
  for (const char* file : {"/no/such/file", "/tmp", "/dev/zero"}) {
    EXPECT_THROW(trace({{"file", file}}, initial_groups(3, 1), 1), std::invalid_argument) << file;
  }
}

}  // namespace
}  // namespace regroup
