// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "driver/config/experiment.hpp"
#include "driver/config/selection.hpp"

namespace regroup {
namespace {

Experiment measurements(const std::string& more) {
  return read_experiment({"test.yaml",
                          "measure: steps\nranks: [2, 3, 4, 5, 6, 7, 8, 9]\n"
                          "group_size: [1, 2]\nrepetitions: 2\n" +
                              more});
}

Places all_of(const Experiment& experiment) {
  Places places(experiment.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

TEST(Order, IsAPermutationOfEachRepetition) {
  const Experiment experiment = measurements("");
  const Places places = all_of(experiment);
  Places order = in_order(experiment, places);
  ASSERT_EQ(order.size(), 32u);
  EXPECT_NE(order, places);
  EXPECT_LT(*std::max_element(order.begin(), order.begin() + 16), 16u);
  std::ranges::sort(order);
  EXPECT_EQ(order, places);
}

TEST(Order, IsTheSameAgainAndAnotherWithAnotherSeed) {
  const Experiment experiment = measurements("");
  const Places places = all_of(experiment);
  EXPECT_EQ(in_order(experiment, places), in_order(experiment, places));
  EXPECT_NE(in_order(experiment, places), in_order(measurements("seed: 2\n"), places));
}

TEST(Order, OfSomeIsThatOfAll) {
  const Experiment experiment = measurements("");
  Places some = all_of(experiment);
  Places order = in_order(experiment, some);
  const auto left = [](std::size_t place) { return place % 3 != 0; };
  std::erase_if(some, left);
  std::erase_if(order, left);
  EXPECT_EQ(in_order(experiment, some), order);
}

TEST(Order, IsAsWrittenWhereThatIsAskedForAndOfRuns) {
  const Experiment written = measurements("sweep_order: as_written\n");
  EXPECT_EQ(in_order(written, all_of(written)), all_of(written));
  const Experiment runs = read_experiment(
      {"test.yaml", std::string("ranks: [2, 4, 8]\nseed: [1, 2]\nbalancers: [none]\n")});
  EXPECT_EQ(in_order(runs, all_of(runs)), all_of(runs));
}

}  // namespace
}  // namespace regroup
