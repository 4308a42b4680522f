// SPDX-License-Identifier: BSD-3-Clause

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abc").hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, IsTheSameForTextInPiecesAndGoesOnAfterItWasRead) {
  Sha256 sum("a");
  EXPECT_EQ(sum.hex(), Sha256("a").hex());
  sum.add("");
  sum.add("bc");
  EXPECT_EQ(sum.hex(), Sha256("abc").hex());
  const Sha256 moved = std::move(sum);
  EXPECT_EQ(moved.hex(), Sha256("abc").hex());
}

class ChecksumsTest : public testing::Test {
 protected:
  ChecksumsTest() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("jobs_sums_test." + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(directory_);
  }
  ~ChecksumsTest() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
  }

  std::filesystem::path directory_;
};

TEST_F(ChecksumsTest, ComeBackAsTheyWereWritten) {
  write("runs.csv", "run\n");
  {
    Checksums sums(directory_);
    sums.reread("runs.csv");
    sums.reread("gone.csv");
    sums.grew("runs.csv", "1\n");
  }
  EXPECT_THAT(read_checksums(directory_),
              testing::ElementsAre(testing::Pair("gone.csv", Sha256().hex()),
                                   testing::Pair("runs.csv", Sha256("run\n1\n").hex())));
}

TEST_F(ChecksumsTest, AreNoneWhereThereIsNoFileAndAMistakeWhereItIsNoneOfOurs) {
  EXPECT_TRUE(read_checksums(directory_).empty());
  write("checksums", "not a sum\n");
  EXPECT_THROW(read_checksums(directory_), UserError);
}

TEST_F(ChecksumsTest, TellWhatBecameOfAFile) {
  write("runs.csv", "run\n1\n2\n");
  const std::string path = directory_ / "runs.csv";
  EXPECT_EQ(compare(path, Sha256("run\n1\n2\n").hex()), Sameness::same);
  EXPECT_EQ(compare(path, Sha256("run\n1\n").hex()), Sameness::grown);
  EXPECT_EQ(compare(path, Sha256("run\n1").hex()), Sameness::changed);
  EXPECT_EQ(compare(path, Sha256("run\n3\n").hex()), Sameness::changed);
}

}  // namespace
}  // namespace regroup
