// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "kernel/check.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/files/files.hpp"

namespace regroup {
namespace {

TEST(LastWords, OfAFailedCheckStandInTheFileTooAndTakeOneLineEach) {
  const std::string file = failure_file(testing::TempDir() + "last_words_test");
  std::filesystem::remove(file);
  const auto end = [&](const char* why) {
    log_failures_to(file);
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

TEST(LastWords, SayThatAProcessWasToldToEndWhereItSaysNothingElse) {
  const std::string file = failure_file(testing::TempDir() + "told_to_end_test");
  std::filesystem::remove(file);
  const auto end = [&] {
    log_failures_to(file);
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(end(), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(read_file(file), terminated_line);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace regroup
