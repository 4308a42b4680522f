// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "driver/store/summaries.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Cost = std::function<double(int size)>;  // in seconds

/// Measurements of groups of 2 to 64 ranks, in some order.
std::vector<Record> measured(const std::map<std::string, Cost>& costs, double spread = 0.01,
                             bool intervals = true) {
  std::vector<Record> records;
  for (const auto& [strategy, cost] : costs) {
    for (const int size : {64, 2, 4, 16, 8, 32, 1}) {
      Record& record = records.emplace_back();
      record.task.measure = {"creation",
                             {{"communicator", strategy},
                              {"pattern", "one_group"},
                              {"group_size", std::to_string(size)}}};
      record.task.ranks = 64;
      Outcome& outcome = record.outcome.emplace();
      const double seconds = cost(size);
      outcome.figures["create_median_s"] = seconds;
      if (!intervals) continue;
      outcome.figures["create_low_s"] = seconds * (1 - spread);
      outcome.figures["create_high_s"] = seconds * (1 + spread);
    }
  }
  return records;
}

double square_of_log(int size) { return 1e-4 * std::pow(std::max(1.0, std::log2(size)), 2); }
Cost flat(double seconds) {
  return [=](int) { return seconds; };
}

std::vector<Figure1Claim> claims_of(const std::vector<Record>& records, bool crowded = false) {
  Setting setting;
  for (const Record& record : records) setting.records.push_back(&record);
  return figure1_claims(setting, crowded);
}

std::vector<bool> held(const std::vector<Figure1Claim>& claims) {
  std::vector<bool> all;
  for (const Figure1Claim& claim : claims) all.push_back(claim.holds);
  return all;
}

TEST(Figure1, HoldsWhereAllIsAsInThePaper) {
  const auto claims = claims_of(
      measured({{"comm_create", flat(1e-3)},
                {"intercomm_merge", square_of_log},
                {"create_group", [](int size) { return 1e-4 * std::log2(size + 1.0); }}}));
  EXPECT_THAT(held(claims), SizeIs(5));
  for (const Figure1Claim& claim : claims) EXPECT_TRUE(claim.holds) << claim.what << claim.says;
  EXPECT_THAT(claims[1].ours, HasSubstr("100 µs and 1.00 ms at 2"));
  EXPECT_THAT(claims[2].says, HasSubstr("dearer from 16 on")) << "0.9 ms at 8, 1.6 ms at 16";
  EXPECT_EQ(claims[3].ours, "(log g)^2.0");
}

TEST(Figure1, DoesNotHoldWhereCreatingGrows) {
  const auto claims = claims_of(measured({{"comm_create", [](int size) { return 1e-5 * size; }}}));
  ASSERT_THAT(claims, SizeIs(1));
  EXPECT_FALSE(claims[0].holds);
  EXPECT_THAT(claims[0].ours, HasSubstr("32.00 ×"));
}

TEST(Figure1, DoesNotHoldWhereAlgorithm1IsDearOrCheapThroughout) {
  const auto dear =
      claims_of(measured({{"comm_create", flat(1e-6)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(dear), testing::ElementsAre(true, false, true, true));
  EXPECT_EQ(dear[1].says, "it is the other way round");
  EXPECT_THAT(dear[2].says, HasSubstr("dearer from 2 on"));
  const auto cheap =
      claims_of(measured({{"comm_create", flat(1)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(cheap), testing::ElementsAre(true, true, false, true));
}

TEST(Figure1, IsNotTakenToHoldByChance) {
  const auto claims =
      claims_of(measured({{"comm_create", flat(1.5e-4)}, {"intercomm_merge", square_of_log}}, 0.3));
  EXPECT_FALSE(claims[1].holds);
  EXPECT_EQ(claims[1].says, "the 95 % intervals overlap");
}

TEST(Figure1, GrowsAsItShouldOrItIsExplainedWhyNot) {
  const auto growth = [](double exponent, bool crowded) {
    const auto power = [=](int size) {
      return 1e-4 * std::pow(std::max(1.0, std::log2(size)), exponent);
    };
    return claims_of(measured({{"intercomm_merge", power}}), crowded).front();
  };
  EXPECT_FALSE(growth(1, false).holds);
  EXPECT_FALSE(growth(1, true).holds) << "cores that are shared make nothing cheaper";
  EXPECT_TRUE(growth(2, false).holds);
  EXPECT_FALSE(growth(4, false).holds);
  EXPECT_TRUE(growth(4, true).holds);
  EXPECT_THAT(growth(4, true).says, HasSubstr("explained"));
}

TEST(Figure1, TellsNothingOfWhatWasNotMeasured) {
  EXPECT_THAT(claims_of(measured({{"range", flat(1e-8)}})), IsEmpty());
}

TEST(Figure1, RefusesTimesOfTooFewSamples) {
  EXPECT_THROW(claims_of(measured({{"comm_create", flat(1e-3)}}, 0, false)), std::invalid_argument);
}

}  // namespace
}  // namespace regroup
