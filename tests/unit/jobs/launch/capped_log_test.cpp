// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "driver/execute/keeper.cpp"
#include "kernel/files/files.hpp"

namespace regroup {
namespace {

/// What is in a file of at most ten bytes after `pieces` were added.
std::string logged(const std::vector<std::string>& pieces) {
  const std::string path = testing::TempDir() + "capped_log_test." + std::to_string(getpid());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  CappedLog log(file, 10);
  for (const std::string& piece : pieces) {
    log.add(piece);
    EXPECT_LE(std::filesystem::file_size(path), 10u);
  }
  log.finish();
  close(file);
  const std::string text = read_file(path).value();
  std::filesystem::remove(path);
  return text;
}

TEST(CappedLog, HoldsAllWhereItIsNotTooMuch) {
  EXPECT_EQ(logged({}), "");
  EXPECT_EQ(logged({"abc", "", "defg"}), "abcdefg");
  EXPECT_EQ(logged({"abcdefghij"}), "abcdefghij");
}

TEST(CappedLog, HoldsTheFirstAndTheLastHalfHoweverTheyCome) {
  const std::string all = "abcdefghijklmnopqrstuvwxyz";
  const std::string expected = "abcde\n[16 bytes of output are left out here]\nvwxyz";
  EXPECT_EQ(logged({all}), expected);
  for (std::size_t length = 1; length < all.size(); ++length) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < all.size(); at += length) {
      pieces.push_back(all.substr(at, length));
    }
    EXPECT_EQ(logged(pieces), expected) << "in pieces of " << length;
  }
}

TEST(CappedLog, LeavesOutASingleByte) {
  EXPECT_EQ(logged({"abcdefghijk"}), "abcde\n[1 bytes of output are left out here]\nghijk");
}

}  // namespace
}  // namespace regroup
