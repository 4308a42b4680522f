// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <stdexcept>

#include "kernel/starting_groups.hpp"
#include "kernel/workloads/workloads.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

class TraceFile : public TextFile {
 public:
  using TextFile::TextFile;
  Items items(int groups) const {
    return trace({{"trace_file", path()}}, initial_groups(groups, 1), /*seed=*/1);
  }
  /// For three groups.
  std::string mistake() const {
    return TextFile::mistake<std::invalid_argument>([&] { items(3); });
  }
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
    return [path] { trace({{"trace_file", path}}, initial_groups(3, 1), /*seed=*/1); };
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

TEST(Trace, EndsAfterAsManyRowsAsThereCanBeWalkers) {
  std::string rows;
  for (int i = 0; i < (1 << 20) + 2; ++i) rows += "5\n";
  EXPECT_EQ(TraceFile(rows).mistake(), ":1048577: more rows than there can be walkers");
}

TEST(Trace, SaysHowManyRowsThereAreForHowManyWalkers) {
  EXPECT_EQ(TraceFile("5\n6\n").mistake(), ": 2 rows of items for 3 walkers");
  EXPECT_EQ(TraceFile("5\n6\n7\n8\n").mistake(), ": 4 rows of items for 3 walkers");
  EXPECT_EQ(TraceFile("").mistake(), ": 0 rows of items for 3 walkers");
}

TEST(Trace, SaysThatThereIsNoFile) {
  // /dev/zero would never end.
  for (const char* file : {"/no/such/file", "/tmp", "/dev/zero"}) {
    EXPECT_THROW(trace({{"trace_file", file}}, initial_groups(3, 1), 1), std::invalid_argument)
        << file;
  }
}

}  // namespace
}  // namespace regroup
