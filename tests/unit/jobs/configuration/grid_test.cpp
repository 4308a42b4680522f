// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/grid.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Point = std::array<std::size_t, 3>;

Grid<Point> grid(std::size_t a, std::size_t b, std::size_t c) {
  Grid<Point> result(Point{});
  result.cross("a", a, [](Point& p, std::size_t i) { p[0] = i; });
  result.cross("b", b, [](Point& p, std::size_t i) { p[1] = i; });
  result.cross("c", c, [](Point& p, std::size_t i) { p[2] = i; });
  return result;
}

TEST(Grid, HasEveryCombinationOnceTheFirstParameterVariesMostSlowly) {
  const Grid<Point> all = grid(2, 1, 3);
  std::vector<Point> points;
  for (std::size_t i = 0; i < all.size(); ++i) points.push_back(all.at(i));
  EXPECT_THAT(points, ElementsAre(Point{0, 0, 0}, Point{0, 0, 1}, Point{0, 0, 2}, Point{1, 0, 0},
                                  Point{1, 0, 1}, Point{1, 0, 2}));
}

TEST(Grid, FindsThePlaceWithAnotherValue) {
  const Grid<Point> all = grid(2, 4, 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t b = 0; b < 4; ++b) {
      Point expected = all.at(i);
      expected[1] = b;
      EXPECT_EQ(all.at(all.with(i, 1, b)), expected);
    }
    EXPECT_EQ(all.value(i, 2), all.at(i)[2]);
  }
}

TEST(Grid, VisitsThePlacesThatDifferInSomeParameters) {
  const Grid<Point> all = grid(2, 2, 3);
  std::vector<Point> points;
  all.each(all.with(0, 1, 1), std::array<std::size_t, 2>{2, 0},
           [&](std::size_t place) { points.push_back(all.at(place)); });
  EXPECT_THAT(points, ElementsAre(Point{0, 1, 0}, Point{1, 1, 0}, Point{0, 1, 1}, Point{1, 1, 1},
                                  Point{0, 1, 2}, Point{1, 1, 2}));
}

TEST(Grid, SaysItsFactorsWhereItIsTooLarge) {
  EXPECT_THAT(grid(1000, 1, 1000).complaint("runs"), IsEmpty());
  EXPECT_EQ(grid(1001, 1, 1000).complaint("runs"), "1001000 runs: 1001 a × 1000 c");
  constexpr std::size_t large = 1'000'000'000'000;
  EXPECT_EQ(grid(large, large, large).size(), std::numeric_limits<std::size_t>::max());
  EXPECT_THAT(grid(large, large, large).complaint("runs"), HasSubstr(" runs: 1000000000000 a × "));
}

TEST(Choices, AreEveryCombinationTheFirstOptionVariesFastest) {
  const Choices choices{"x", {{"a", {"1", "2"}}, {"b", {"p", "q"}}}};
  std::vector<Choice> all;
  for (std::size_t i = 0; i < choices.size(); ++i) all.push_back(choices.at(i));
  EXPECT_THAT(
      all,
      ElementsAre(Choice{"x", {{"a", "1"}, {"b", "p"}}}, Choice{"x", {{"a", "2"}, {"b", "p"}}},
                  Choice{"x", {{"a", "1"}, {"b", "q"}}}, Choice{"x", {{"a", "2"}, {"b", "q"}}}));
}

TEST(Choices, OverlapWhereOneIsInBoth) {
  const auto of = [](std::string name, std::vector<std::string> a, std::vector<std::string> b) {
    return Choices{std::move(name), {{"a", std::move(a)}, {"b", std::move(b)}}};
  };
  const Choices choices = of("x", {"1", "2"}, {"p", "q"});
  EXPECT_TRUE(overlap(choices, of("x", {"2", "3"}, {"q"})));
  EXPECT_FALSE(overlap(choices, of("x", {"2", "3"}, {"r"})));
  EXPECT_FALSE(overlap(choices, of("x", {"3"}, {"q"})));
  EXPECT_FALSE(overlap(choices, of("y", {"1", "2"}, {"p", "q"})));
  EXPECT_TRUE(overlap(Choices{"x", {}}, Choices{"x", {}}));
}

TEST(Choices, AreJoinedOneAfterTheOther) {
  Joined<Choices> joined;
  joined.add({"x", {{"a", {"1", "2"}}}});
  joined.add({"y", {}});
  joined.add({"z", {{"a", {"3"}}}});
  ASSERT_EQ(joined.size(), 4u);
  EXPECT_EQ(joined.at(1), (Choice{"x", {{"a", "2"}}}));
  EXPECT_EQ(joined.at(2), (Choice{"y", {}}));
  EXPECT_EQ(joined.at(3), (Choice{"z", {{"a", "3"}}}));
  EXPECT_EQ(joined.find(3), (std::pair<std::size_t, std::size_t>{2, 0}));
}

}  // namespace
}  // namespace regroup
