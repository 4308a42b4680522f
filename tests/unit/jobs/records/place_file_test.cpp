// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "driver/config/reader.hpp"
#include "driver/store/provenance.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;

Place some_place() {
  const HostFacts facts{"a chip", "on", "powersave", "6.1", "tsc", 1.5, 0.25};
  return {{{"n1", {{{0, 1}, {0, 3}}}, facts}, {"n2", {{{2, 2}, {0, 1}}}, facts}},
          "An MPI\nof two lines",
          {{"UCX_TLS", "self,\"tcp\""}},
          "12"};
}

std::string placement(const Place& place) { return place_file(place).placement; }

TEST(PlaceFile, IsYaml) {
  const PlaceFile file = place_file(some_place());
  const auto documents = parse_yaml(file.text, "place", {});
  ASSERT_EQ(documents.size(), 1u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : documents[0].pairs) keys.push_back(key.text);
  EXPECT_THAT(keys, testing::ElementsAre("nodes", "mpi", "job_id", "variables"));
  EXPECT_THAT(file.text, HasSubstr("  - name: \"n1\"\n    ranks: \"0-1\"\n    cores: 1\n"));
  EXPECT_THAT(file.text, HasSubstr("{ranks: \"0-1\", processors: \"0-3\"}"));
}

TEST(PlaceFile, IsNamedByWhatItSaysOfThePlace) {
  const PlaceFile file = place_file(some_place());
  EXPECT_EQ(placement_told_by(file.text), file.placement);
  std::string changed = file.text;
  changed[changed.find("tsc")] = 'T';
  EXPECT_NE(placement_told_by(changed), file.placement);
}

TEST(Placement, DependsOnAllThatTimesDependOn) {
  const std::string same = placement(some_place());
  const auto with = [&](auto change) {
    Place place = some_place();
    change(place);
    return placement(place);
  };
  EXPECT_EQ(with([](Place&) {}), same);
  EXPECT_NE(with([](Place& p) { p.mpi += "3"; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[0].name = "n3"; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[1].bindings[0].cpus = {0, 0}; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[1].bindings[0].ranks = {3, 3}; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes.pop_back(); }), same);
  for (auto fact : {&HostFacts::processor, &HostFacts::smt, &HostFacts::governor,
                    &HostFacts::kernel, &HostFacts::clock_source}) {
    EXPECT_NE(with([&](Place& p) { p.nodes[1].facts.*fact = "other"; }), same);
  }
  EXPECT_NE(with([](Place& p) { p.nodes[1].facts.quota = 1.25; }), same);
}

TEST(Placement, DependsOnNothingThatChangesFromJobToJob) {
  Place place = some_place();
  place.variables = {{"SLURM_JOB_ID", "8"}};
  place.job_id = "8";
  place.nodes[0].facts.load = 7;
  EXPECT_EQ(placement(place), placement(some_place()));
}

TEST(Placement, IsNoneOfNoNodes) {
  EXPECT_EQ(place_file({}).placement, "");
  EXPECT_EQ(place_file({}).text, "");
}

TEST(PlaceFileName, IsOneThatChecksumsMayName) {
  EXPECT_EQ(place_file_name("0123456789abcdef"), "places/0123456789abcdef.yaml");
  EXPECT_TRUE(is_place_file_name("places/0123456789abcdef.yaml"));
  for (const char* other : {"places/../runs.yaml", "places/0123456789abcdef", "runs.csv",
                            "places/0123456789abcdeg.yaml", "places/.yaml", "places"}) {
    EXPECT_FALSE(is_place_file_name(other)) << other;
  }
}

}  // namespace
}  // namespace regroup
