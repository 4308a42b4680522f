// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/did_you_mean.hpp"

#include <gtest/gtest.h>

namespace regroup {
namespace {

const std::vector<std::string> balancers{"none", "collective", "asynchronous", "two_sided",
                                         "spread"};

TEST(DidYouMean, FindsTheWordThatAFewSlipsTurnIntoTheOther) {
  EXPECT_EQ(did_you_mean("colective", balancers), " (did you mean 'collective'?)");
  EXPECT_EQ(did_you_mean("nnoe", balancers), " (did you mean 'none'?)") << "two changed places";
  EXPECT_EQ(did_you_mean("Two-Sided", balancers), " (did you mean 'two_sided'?)");
  EXPECT_EQ(did_you_mean("spraed!", balancers), " (did you mean 'spread'?)");
}

TEST(DidYouMean, TakesTheNearest) {
  const std::vector<std::string> words{"idup", "dup", "dup_with_info"};
  EXPECT_EQ(did_you_mean("ddup", words), " (did you mean 'idup'?)");
  EXPECT_EQ(did_you_mean("dups", words), " (did you mean 'dup'?)");
}

TEST(DidYouMean, CompletesWhatOnlyOneWordBeginsWith) {
  EXPECT_EQ(did_you_mean("async", balancers), " (did you mean 'asynchronous'?)");
  EXPECT_EQ(did_you_mean("as", balancers), "") << "of three letters at least";
  EXPECT_EQ(did_you_mean("comm_", std::vector<std::string>{"comm_split", "comm_create"}), "");
}

TEST(DidYouMean, FindsTheOnlyWordThatHasItBehindALine) {
  const std::vector<std::string> keys{"rank_order", "group_size", "trace_file", "items_file"};
  EXPECT_EQ(did_you_mean("order", keys), " (did you mean 'rank_order'?)");
  EXPECT_EQ(did_you_mean("rder", keys), "") << "a whole part of it";
  EXPECT_EQ(did_you_mean("file", keys), "") << "of two nobody knows which";
}

TEST(DidYouMean, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("greedy", balancers), "");
  EXPECT_EQ(did_you_mean("", balancers), "");
  EXPECT_EQ(did_you_mean("x", std::vector<std::string>{"y"}), "") << "nothing of the word is left";
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'n'), balancers), "");
  EXPECT_EQ(did_you_mean("none", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace regroup
