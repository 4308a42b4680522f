// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/fixed_point.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/walker.hpp"
#include "tests/unit/thread_team.hpp"

namespace regroup::fixed_point_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_refused(const std::function<void()>& what, const std::string& value) {
  EXPECT_THAT(what, ThrowsMessage<std::range_error>(AllOf(HasSubstr(value), HasSubstr("2^62"))));
}

TEST(FixedPoint, IsTheNumberWithoutItsDigitsBelowTheUnit) {
  for (const double same : {0.0, 1.0, -2.5, 0x1p-60, -0x1p-60, 0x1.fffffffffffffp61, -1.2e6, 1e18,
                            0x1.fffffffffffffp-8, -0x1.fffffffffffffp-8}) {
    EXPECT_EQ(FixedPoint::of(same).value(), same);
  }
  EXPECT_EQ(FixedPoint::of(0x1.fp-61).value(), 0);
  EXPECT_EQ(FixedPoint::of(-0x1.fp-61).value(), 0);
  EXPECT_EQ(FixedPoint::of(0x1.8p-60).value(), 0x1p-60);
  EXPECT_EQ(FixedPoint::of(-0x1.8p-60).value(), -0x1p-60);
  EXPECT_EQ(FixedPoint::of(1e-300), FixedPoint());
  for (double x = 1; x > 1e-17; x /= 3) {
    EXPECT_NEAR(FixedPoint::of(x).value(), x, 0x1p-60);
    EXPECT_EQ(FixedPoint::of(-x).value(), -FixedPoint::of(x).value());
  }
}

TEST(FixedPoint, IsOrderedAsNumbersAre) {
  const std::array ordered{-infinity, -4e18, -1.5, -1.0, -0x1p-60, 0.0, 0x1p-60, 0.5, 1.0, 4e18};
  for (std::size_t a = 0; a < ordered.size(); ++a) {
    for (std::size_t b = 0; b < ordered.size(); ++b) {
      EXPECT_EQ(FixedPoint::of(ordered[a]) < FixedPoint::of(ordered[b]), a < b);
      EXPECT_EQ(FixedPoint::of(ordered[a]) == FixedPoint::of(ordered[b]), a == b);
    }
  }
}

TEST(FixedPoint, SumsInAnyOrderToTheSame) {
  const FixedPoint large = FixedPoint::of(1e15);
  const FixedPoint small = FixedPoint::of(1e-15);
  FixedPoint sum = large;
  for (int i = 0; i < 1000; ++i) sum += small;
  sum -= large;
  for (int i = 0; i < 1000; ++i) sum -= small;
  EXPECT_EQ(sum, FixedPoint());
}

TEST(FixedPoint, HasADigestThatShowsEveryBit) {
  std::set<std::uint64_t> digests;
  for (int power = -60; power < 62; ++power) {
    digests.insert(FixedPoint::of(std::ldexp(1, power)).digest());
    digests.insert(FixedPoint::of(-std::ldexp(1, power)).digest());
  }
  digests.insert(FixedPoint().digest());
  digests.insert(FixedPoint::minus_infinity().digest());
  EXPECT_EQ(digests.size(), 246u);
}

TEST(FixedPoint, RefusesWhatIsNoNumberOfItsRange) {
  expect_refused([] { FixedPoint::of(nan); }, "is nan");
  expect_refused([] { FixedPoint::of(-nan); }, "is nan");
  expect_refused([] { FixedPoint::of(infinity); }, "is inf");
  expect_refused([] { FixedPoint::of(0x1p62); }, "is 4.611686018427388e+18");
  expect_refused([] { FixedPoint::of(-1e300); }, "is -1e+300");
}

TEST(FixedPoint, RefusesSumsBeyondItsRange) {
  const FixedPoint large = FixedPoint::of(4e18);
  const FixedPoint one = FixedPoint::of(1);
  expect_refused([&] { large + large; }, "4e+18 + 4e+18");
  expect_refused([&] { FixedPoint() - large - large; }, "-4e+18 - 4e+18");
  FixedPoint sum = FixedPoint::of(0x1.fffffffffffffp61);
  EXPECT_THROW(for (int i = 0; i < 600; ++i) sum += one, std::range_error);
  EXPECT_EQ(sum.value(), 0x1p62);  // the double nearest to 2^62 - 1
  EXPECT_EQ((sum - large - FixedPoint::of(0x1p62 - 4e18 - 512)).value(), 511);
}

TEST(FixedPoint, KeepsMinusInfinityInSums) {
  const FixedPoint never = FixedPoint::of(-infinity);
  EXPECT_EQ(never, FixedPoint::minus_infinity());
  EXPECT_EQ(never.value(), -infinity);
  for (const double other : {-infinity, -4e18, 0.0, 1e-9, 4e18}) {
    EXPECT_EQ(never + FixedPoint::of(other), never) << other;
    EXPECT_EQ(FixedPoint::of(other) + never, never) << other;
    if (other == -infinity) continue;
    EXPECT_EQ(never - FixedPoint::of(other), never) << other;
  }
  FixedPoint sum = never;
  for (int i = 0; i < 100; ++i) sum += never;
  EXPECT_EQ(sum, never);
}

TEST(FixedPoint, SubtractsMinusInfinityFromNothing) {
  const FixedPoint never = FixedPoint::minus_infinity();
  EXPECT_THAT([&] { FixedPoint::of(-2.5) - never; },
              ThrowsMessage<std::range_error>(HasSubstr("-2.5 - -inf")));
  EXPECT_THAT([&] { never - never; }, ThrowsMessage<std::range_error>(HasSubstr("-inf - -inf")));
  EXPECT_THROW(FixedPoint::of(4e18) - never, std::range_error);
}

/// Returns the sum of `terms` on each member of a team; the terms are distributed cyclically.
std::vector<FixedPoint> sums_of(const std::vector<double>& terms, int members) {
  std::vector<FixedPoint> sums(static_cast<std::size_t>(members));
  in_a_team(members, [&](Team& team) {
    const auto rank = static_cast<std::size_t>(team.rank());
    std::array<FixedPoint, 2> both;  // the second with opposite sign
    for (std::size_t i = rank; i < terms.size(); i += static_cast<std::size_t>(members)) {
      both[0] += FixedPoint::of(terms[i]);
      if (terms[i] != -infinity) both[1] -= FixedPoint::of(terms[i]);
    }
    sums[rank] = team.sum(both[0]);
    team.sum(both);
    EXPECT_EQ(both[0], sums[rank]);
    if (sums[rank].value() == -infinity) return;
    EXPECT_EQ(both[0] + both[1], FixedPoint());
  });
  return sums;
}

TEST(FixedPoint, HasTheSameSumOverAnyNumberOfMembers) {
  std::vector<double> terms;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const double drawn = unit_interval(random_bits(1, Purpose::exploration, 0, i)) - 0.5;
    terms.push_back(std::ldexp(drawn, static_cast<int>(i % 110) - 60));  // up to 2^48
  }
  terms.push_back(-4e18);
  terms.push_back(4e18);
  const FixedPoint alone = sums_of(terms, 1).front();
  EXPECT_NE(alone, FixedPoint());
  for (const int members : {2, 3, 7, 16}) {
    EXPECT_THAT(sums_of(terms, members), testing::Each(alone)) << members << " members";
  }
  terms[77] = -infinity;
  for (const int members : {1, 2, 3, 16}) {
    EXPECT_THAT(sums_of(terms, members), testing::Each(FixedPoint::minus_infinity()));
  }
}

TEST(FixedPoint, RefusesASumOverMembersBeyondItsRangeOnAllOfThem) {
  for (const double term : {4e18, -4e18}) {
    in_a_team(3, [&](Team& team) {
      const FixedPoint own = team.rank() == 1 ? FixedPoint() : FixedPoint::of(term);
      expect_refused([&] { team.sum(own); }, term > 0 ? "members is 8" : "members is -8");
    });
  }
}

/// Returns the acceptance rate of Metropolis moves in a normal distribution whose log-density is
/// `offset` at its maximum.
double acceptance(double offset) {
  const auto log_density = [&](double x) { return FixedPoint::of(offset - x * x / 2); };
  double x = 0;
  int accepted = 0;
  constexpr int moves = 4000;
  for (std::uint64_t i = 0; i < moves; ++i) {
    const double next = x + 2.4 * standard_normal(random_bits(1, Purpose::chain, 0, 2 * i));
    const FixedPoint ratio = log_density(next) - log_density(x);
    if (!metropolis_accepts(ratio.value(), random_bits(1, Purpose::chain, 0, 2 * i + 1))) continue;
    x = next;
    ++accepted;
  }
  return accepted / static_cast<double>(moves);
}

// Posteriors of large data sets have such log-densities.
TEST(FixedPoint, LeavesTheAcceptanceOfLargeLogDensitiesAsItIs) {
  const double usual = acceptance(0);
  EXPECT_NEAR(usual, 0.44, 0.03);
  for (const double offset : {-1.2e6, 1.2e6, -3e9, -1e12}) {
    EXPECT_NEAR(acceptance(offset), usual, 0.01) << offset;
  }
}

}  // namespace
}  // namespace regroup::fixed_point_test
