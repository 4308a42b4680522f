// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "driver/check/verify.cpp"

namespace regroup {
namespace {

std::optional<std::size_t> place(const std::optional<WrongRow>& found) {
  return found ? std::optional(found->place) : std::nullopt;
}

TEST(WrongRegroups, AreFoundWhereGroupsTellOfOthers) {
  const Regroups right{{0, 2}, {3, 6}};
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}}, right)), std::nullopt);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 5}}, right)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}, {4, 1}}, right)), 2u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}}, right)), 0u);
}

TEST(WrongRegroups, AreFoundWhereNothingElseTells) {
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}}, 8)), std::nullopt);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 5}}, 8)), 0u) << "one process is in none";
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 7}}, 8)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{3, 2}, {0, 6}}, 8)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{-1, 2}, {0, 6}}, 8)), 0u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 9}, {1, -1}}, 8)), 0u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 8}, {1, 0}}, 8)), 1u);
}

TEST(WrongSamples, AreFoundByTheirNumberTheirOrderAndTheirTimes) {
  const SampleRow a1{"create_s", {1, 0.1, 1e-3}};
  const SampleRow a2{"create_s", {2, 0.2, 1e-3}};
  const SampleRow b1{"free_s", {1, 0.1, 1e-3}};
  const SampleRow b2{"free_s", {2, 0.2, 1e-3}};
  const auto wrong = [](std::vector<SampleRow> all) { return place(find_wrong_samples(all, 2)); };
  EXPECT_EQ(wrong({}), std::nullopt);
  EXPECT_EQ(wrong({a1, a2, b1, b2}), std::nullopt);
  EXPECT_EQ(wrong({a1, a2, b1}), 2u);
  EXPECT_EQ(wrong({a1, b1}), 1u);
  EXPECT_EQ(wrong({b1, b2, a1, a2}), 2u) << "times come in the order of their names";
  EXPECT_EQ(wrong({a2, a1}), 0u);
  EXPECT_EQ(wrong({a1, a2, a1, a2}), 2u);
  EXPECT_EQ(wrong({a1, {"create_s", {2, 0.05, 1e-3}}}), 1u);
  EXPECT_EQ(wrong({a1, {"create_s", {2, 0.2, -1e-3}}}), 1u);
  EXPECT_EQ(wrong({{"bystander_s", {1, 0, -1e-3}}, {"bystander_s", {2, 0, -1e-3}}}), std::nullopt);
}

TEST(WrongSamples, AreThoseThatAreNotKept) {
  std::vector<SampleRow> all;
  for (std::int64_t number = 1; number <= 1500; number += 2) {
    all.push_back({"time_s", {number, 0.001 * static_cast<double>(number), 1}});
  }
  EXPECT_EQ(place(find_wrong_samples(all, 1500)), std::nullopt);
  all[7].sample.number = 16;
  EXPECT_EQ(place(find_wrong_samples(all, 1500)), 7u);
}

}  // namespace
}  // namespace regroup
