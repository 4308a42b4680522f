// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernel/places/place.hpp"

namespace regroup {
namespace {

Place some_place() {
  const HostFacts facts{"a chip", "on", "powersave", "6.1", "tsc", 1.5, 0.25};
  return {{{"n1", {{{0, 1}, {0, 3}}, {RankSet::of({{2, 2}, {5, 6}}), {4, 4}}}, facts},
           {"n2", {{{3, 4}, {0, 1}}}, {}}},
          "An MPI\nof two lines",
          {{"UCX_TLS", "self,\"tcp\""}},
          "12.server"};
}

TEST(PlaceJson, BringsBackWhatItWasMadeOf) {
  const nlohmann::json json = some_place();
  EXPECT_EQ(nlohmann::json::parse(json.dump()).get<Place>(), some_place());
}

TEST(PlaceJson, RefusesRanksThatAreNoAscendingRanges) {
  nlohmann::json json = some_place();
  json["nodes"][0]["bindings"][0]["cpus"] = "3-0";
  EXPECT_THROW(json.get<Place>(), std::invalid_argument);
  json["nodes"][0]["bindings"][0]["cpus"] = 3;
  EXPECT_ANY_THROW(json.get<Place>());
  EXPECT_ANY_THROW(nlohmann::json::object().get<Place>());
}

}  // namespace
}  // namespace regroup
