// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/state_files.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;

class StateFilesTest : public testing::Test {
 protected:
  StateFilesTest() { std::filesystem::create_directories(directory_); }
  ~StateFilesTest() override { std::filesystem::remove_all(directory_); }

  std::string file() const { return directory_ + "/3.state"; }
  std::string text() const { return read_file(file()).value(); }
  void expect_refusal(const std::string& why) const {
    EXPECT_THAT([this] { files_.read(3); },
                testing::ThrowsMessage<UserError>(
                    testing::AllOf(testing::StartsWith(file() + ": "), HasSubstr(why))));
  }

  std::string directory_ =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
  StateFiles files_{directory_, "walkers of one kind"};
  State state_{std::byte{1}, std::byte{'\n'}, std::byte{0}, std::byte{255}};
};

TEST_F(StateFilesTest, GiveBackWhatWasWrittenLast) {
  EXPECT_FALSE(files_.read(3));
  files_.write(3, {7, false, {}});
  files_.write(3, {40, true, state_});
  files_.write(4, {41, false, state_});
  const auto saved = files_.read(3);
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->items, 40);
  EXPECT_TRUE(saved->done);
  EXPECT_EQ(saved->state, state_);
  EXPECT_FALSE(files_.read(4)->done);
  std::size_t number = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory_)) {
    ++number;
  }
  EXPECT_EQ(number, 2u);  // and nothing that was on the way there
}

TEST_F(StateFilesTest, RefuseAFileOfWhichAnyByteIsWrong) {
  files_.write(3, {40, true, state_});
  const std::string right = text();
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    replace_file(file(), wrong);
    EXPECT_THROW(files_.read(3), UserError) << "byte " << i;
    replace_file(file(), right.substr(0, i));
    EXPECT_THROW(files_.read(3), UserError) << i << " bytes";
  }
  replace_file(file(), right + "x");
  expect_refusal("is damaged");
}

TEST_F(StateFilesTest, SayWhatIsWrongWithAFile) {
  replace_file(file(), "something else");
  expect_refusal("is no state of a chain");
  StateFiles(directory_, "walkers of another kind").write(3, {1, false, state_});
  expect_refusal("is a state of 'walkers of another kind', and not of 'walkers of one kind'");
  files_.write(4, {1, false, state_});
  std::filesystem::rename(directory_ + "/4.state", file());
  expect_refusal("is the state of another chain");
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  expect_refusal("cannot be read");
}

TEST(StatesBeside, IsTheDirectoryOfTheTask) {
  EXPECT_EQ(states_beside("a/b.task.json"), "a/b.states");
  EXPECT_EQ(states_beside("a/b"), "a/b.states");
}

}  // namespace
}  // namespace regroup
