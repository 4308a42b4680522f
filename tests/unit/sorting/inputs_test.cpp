// SPDX-License-Identifier: BSD-3-Clause
#include "sorting/inputs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "sorting/samples.hpp"

namespace regroup::sorting {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Lt;

constexpr int ranks = 4;

template <class T = double>
std::vector<T> whole(Input input, long long n, std::uint64_t seed = 1) {
  std::vector<T> all;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<T> own = make_input<T>(input, rank, ranks, n, seed);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

TEST(Inputs, HaveTheirRowsInTheOrderOfTheirKinds) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(inputs[i].input), i);
  }
}

TEST(Inputs, AreKeysFromZeroToOne) {
  for (const InputEntry& entry : inputs) {
    EXPECT_THAT(whole(entry.input, 500), Each(testing::AllOf(Ge(0), Lt(1)))) << entry.name;
  }
}

TEST(Inputs, AreTheSameForTheSameSeed) {
  for (const InputEntry& entry : inputs) {
    EXPECT_EQ(whole(entry.input, 20), whole(entry.input, 20)) << entry.name;
  }
  EXPECT_NE(whole(Input::uniform, 20, 1), whole(Input::uniform, 20, 2));
}

TEST(Inputs, AreWhatTheirNamesSay) {
  const std::vector<double> sorted = whole(Input::sorted, 50);
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
  EXPECT_EQ(std::set(sorted.begin(), sorted.end()).size(), sorted.size());
  EXPECT_TRUE(std::ranges::is_sorted(whole(Input::reverse, 50), std::ranges::greater{}));
  EXPECT_THAT(whole(Input::all_equal, 10), Each(0.5));
  const std::vector<double> few = whole(Input::few_distinct, 100);
  EXPECT_EQ(std::set(few.begin(), few.end()).size(), 8u);
  const std::vector<double> zipf = whole(Input::zipf, 1000);
  EXPECT_GT(std::ranges::count(zipf, 0.0), std::ranges::count(zipf, 1.0 / 65536));
}

TEST(Inputs, AreStaggered) {
  std::vector<int> parts;
  for (int rank = 0; rank < 5; ++rank) {
    const auto own = make_input<double>(Input::staggered, rank, 5, 100, 1);
    parts.push_back(static_cast<int>(*std::ranges::min_element(own) * 5));
    EXPECT_EQ(static_cast<int>(*std::ranges::max_element(own) * 5), parts.back());
  }
  EXPECT_THAT(parts, ElementsAre(1, 3, 0, 2, 4));
}

TEST(Inputs, KeepTheirOrderAsOtherTypes) {
  const std::vector<double> keys{0, 0.25, 0.5, 0.999999999};
  std::vector<int> bytes;
  std::vector<std::uint64_t> wide;
  std::vector<std::int64_t> with_sign;
  for (const double key : keys) {
    bytes.push_back(element_of<std::int8_t>(key, 0));
    wide.push_back(element_of<std::uint64_t>(key, 0));
    with_sign.push_back(element_of<std::int64_t>(key, 0));
  }
  EXPECT_THAT(bytes, ElementsAre(-128, -64, 0, 127));
  EXPECT_TRUE(std::ranges::is_sorted(wide));
  EXPECT_EQ(wide[2], std::uint64_t{1} << 63);
  EXPECT_EQ(with_sign[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(with_sign[2], 0);
  EXPECT_EQ(element_of<float>(0.25, 0), 0.25f);
}

TEST(Samples, AreAsManyAsTheLargestOfThreeNumbers) {
  SortOptions options;
  options.samples_per_log_rank = 2;
  options.samples_per_element = 0.5;
  options.fewest_samples = 9;
  EXPECT_EQ(number_of_samples(options, 4, 4), 9);
  EXPECT_EQ(number_of_samples(options, 1024, 1024), 20);
  EXPECT_EQ(number_of_samples(options, 4, 400), 50);
}

TEST(Samples, AreOfTheGroupAndDifferFromLevelToLevel) {
  const SortOptions options;
  const std::vector<long long> first = sample_places(options, 4, 1, {10, 50});
  EXPECT_THAT(first, Each(testing::AllOf(Ge(10), Lt(50))));
  EXPECT_EQ(first, sample_places(options, 4, 1, {10, 50}));
  EXPECT_NE(first, sample_places(options, 4, 2, {10, 50}));
  EXPECT_GT(std::set(first.begin(), first.end()).size(), 2u);
}

}  // namespace
}  // namespace regroup::sorting
