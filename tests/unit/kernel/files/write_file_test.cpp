// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "kernel/files/files.hpp"

namespace regroup {
namespace {

/// In a directory of its own.
class WriteFile : public testing::Test {
 protected:
  WriteFile() { std::filesystem::create_directory(directory_); }
  ~WriteFile() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::string text(const std::string& name) const { return read_file(path(name)).value_or("none"); }

 private:
  std::string directory_ = testing::TempDir() + "regroup_write_file_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
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

TEST_F(WriteFile, AppendingToAFileThatIsGoneOrChangedFails) {
  EXPECT_THROW(append_whole(path("a"), 0, "x"), std::runtime_error);
  EXPECT_EQ(text("a"), "none");
  replace_file(path("a"), "old");
  append_whole(path("a"), 3, "new");
  EXPECT_THROW(append_whole(path("a"), 3, "x"), std::runtime_error);
  EXPECT_EQ(text("a"), "oldnew");
}

TEST_F(WriteFile, LinksAreReplacedAndNotFollowed) {
  replace_file(path("victim"), "as it was");
  for (const char* name : {"a", "a.new"}) std::filesystem::create_symlink("victim", path(name));
  replace_file(path("a"), "new");
  EXPECT_EQ(text("victim"), "as it was");
  EXPECT_EQ(text("a"), "new");
  std::filesystem::create_symlink("victim", path("b"));
  EXPECT_THROW(append_whole(path("b"), 9, "x"), std::runtime_error);
  EXPECT_EQ(text("victim"), "as it was");
}

TEST_F(WriteFile, CopiesDoNotReplaceEachOther) {
  for (const char* content : {"1", "2", "3"}) {
    replace_file(path("a"), content);
    keep_copy(path("a"));
  }
  replace_file(path("a"), "4");
  EXPECT_EQ(text("a.bak") + text("a.bak2") + text("a.bak3") + text("a"), "1234");
}

}  // namespace
}  // namespace regroup
