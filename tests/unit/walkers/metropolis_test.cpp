// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "regroup/numbers.hpp"
#include "regroup/walker.hpp"

namespace regroup {
namespace {

// Five states in a row with given probabilities; a step to a neighbour is proposed to the left or
// to the right. Every 20th state is counted, which makes them all but independent.
TEST(Metropolis, KeepsTheDetailedBalanceOfFiveStates) {
  constexpr std::array weights{1.0, 4.0, 2.0, 0.5, 2.5};
  constexpr int samples = 50000;
  std::array<int, 5> counts{};
  std::array<std::array<int, 5>, 5> steps{};
  int state = 0;
  std::uint64_t count = 0;
  for (int sample = 0; sample < samples; ++sample) {
    for (int i = 0; i < 20; ++i) {
      const int before = state;
      const bool up = (random_bits(4, Purpose::chain, 0, count++) >> 63) != 0;
      const int proposed = state + (up ? 1 : -1);
      const std::uint64_t bits = random_bits(4, Purpose::chain, 0, count++);
      if (proposed >= 0 && proposed < 5) {
        const auto weight = [&](int s) { return weights[static_cast<std::size_t>(s)]; };
        if (metropolis_accepts(std::log(weight(proposed) / weight(state)), bits)) state = proposed;
      }
      ++steps[static_cast<std::size_t>(before)][static_cast<std::size_t>(state)];
    }
    ++counts[static_cast<std::size_t>(state)];
  }
  double chi2 = 0;
  for (std::size_t s = 0; s < 5; ++s) {
    const double expected = samples * weights[s] / 10;
    chi2 += (counts[s] - expected) * (counts[s] - expected) / expected;
  }
  EXPECT_LT(chi2, 18.5);  // four degrees of freedom: one in a thousand is above
  // As many steps to the left as to the right between any two; they can differ by one.
  for (std::size_t s = 1; s < 5; ++s) EXPECT_LE(std::abs(steps[s - 1][s] - steps[s][s - 1]), 1);
}

TEST(Metropolis, TakesEveryStepThatIsNotLessProbable) {
  EXPECT_TRUE(metropolis_accepts(0, ~std::uint64_t{0}));
  EXPECT_TRUE(metropolis_accepts(1e300, ~std::uint64_t{0}));
  EXPECT_FALSE(metropolis_accepts(-1e300, std::uint64_t{1} << 11));
  EXPECT_TRUE(metropolis_accepts(std::log(0.5) + 1e-9, (std::uint64_t{1} << 63) - 1));
  EXPECT_FALSE(metropolis_accepts(std::log(0.5) - 1e-9, std::uint64_t{1} << 63));
}

}  // namespace
}  // namespace regroup
