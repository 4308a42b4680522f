// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "measurements/bench.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::vector<Sample> samples_of(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (const double value : values) add(samples, 0.5 * static_cast<double>(samples.size()), value);
  return samples;
}

TEST(Sampled, NumbersSamplesFromOneOn) {
  EXPECT_THAT(samples_of({3, 4}), ElementsAre(Sample{1, 0, 3}, Sample{2, 0.5, 4}));
}

TEST(Sampled, MakesOfATimeWhatIsToldOfIt) {
  EXPECT_THAT(figures_of({{"create_s", samples_of({6, 1, 5, 2, 4, 3})}}),
              ElementsAre(Pair("create_high_s", 6), Pair("create_low_s", 1),
                          Pair("create_median_s", 3.5), Pair("create_min_s", 1)));
  EXPECT_THAT(figures_of({{"bystander_s", samples_of({6, 1, -5, 2, 4, 3})}}),
              ElementsAre(Pair("bystander_high_s", 6), Pair("bystander_low_s", -5),
                          Pair("bystander_s", 2.5)));
  EXPECT_THAT(figures_of({{"look_for_request_s", samples_of({2, 9, 1})}}),
              ElementsAre(Pair("look_for_request_s", 2)));
}

TEST(Sampled, HasNoIntervalOfFewSamples) {
  EXPECT_THAT(figures_of({{"time_s", samples_of({1, 2, 3, 4, 5})}}),
              ElementsAre(Pair("time_median_s", 3), Pair("time_min_s", 1)));
}

/// Work that takes as long as the creations, and both together as long as one of them: all of it.
TEST(Sampled, TellsWhatPartWorkHidesFromThreeTimesOfEachSample) {
  const Samples samples{{"in_flight_s", samples_of({2, 4, 2})},
                        {"in_flight_work_s", samples_of({2, 2, 2})},
                        {"in_flight_both_s", samples_of({2, 5, 4})}};
  EXPECT_THAT(figures_of(samples),
              ElementsAre(Pair("hidden_fraction", 0.25), Pair("in_flight_s", 2)));
}

TEST(Sampled, MakesNothingOfNothing) {
  EXPECT_THAT(figures_of(Samples()), IsEmpty());
  EXPECT_THAT(figures_of({{"in_flight_both_s", samples_of({1})}}), IsEmpty());
}

TEST(Sampled, KeepsEverySoManythOfMany) {
  EXPECT_EQ(kept_of(0), 0u);
  EXPECT_EQ(kept_of(1), 1u);
  EXPECT_EQ(kept_of(1000), 1000u);
  EXPECT_EQ(kept_of(1001), 501u);
  EXPECT_EQ(kept_of(1'000'000), 1000u);
  for (const std::size_t number : {1, 7, 999, 1000, 1001, 2000, 2001, 12345}) {
    const Samples kept = kept_of({{"time_s", samples_of(std::vector<double>(number, 1))}});
    EXPECT_THAT(kept.at("time_s"), SizeIs(kept_of(number)));
    EXPECT_LE(kept.at("time_s").size(), most_kept);
    EXPECT_EQ(kept.at("time_s").front().number, 1);
  }
}

/// What a kind of measurement calls a figure is what its samples are made into.
TEST(Sampled, MakesFiguresThatMeasurementsHave) {
  Samples all;
  for (const SampledTime& time : sampled_times()) {
    all[std::string(time.name)] = samples_of({1, 2, 3, 4, 5, 6});
  }
  for (const auto& [name, value] : figures_of(all)) {
    EXPECT_TRUE(comes_of_samples(name)) << name;
    bool known = false;
    for (const MeasurementKind& kind : measurement_kinds()) {
      for (const Figure& figure : kind.figures) known = known || figure.name == name;
    }
    EXPECT_TRUE(known) << name;
  }
  EXPECT_FALSE(comes_of_samples("formed_groups"));
  EXPECT_FALSE(comes_of_samples("moved_bytes"));
}

}  // namespace
}  // namespace regroup
