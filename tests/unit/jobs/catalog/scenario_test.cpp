// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/scenario.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>

#include "jobs/catalog/resolve.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

Scenario unusual() {
  Scenario s;
  s.experiment = "an \"odd\" name";
  s.engine = "virtual";
  s.ranks = 33;
  s.group_size = 3;
  s.item_ms = 0.1;
  s.speedup = {"amdahl", {{"serial_fraction", "0.1"}}};
  s.jitter = 0.3;
  s.workload = {"cyclic", {{"multiplier", "2"}, {"modulus", "7"}}};
  s.walker = {"spin", {{"state_bytes", "5"}}};
  s.balancer = {"collective", {{"interval", "5"}}};
  s.communicator = "create_group";
  s.waiting = "polite";
  s.repetition = 4;
  s.seed = 77;
  s.timeout_s = 12.5;
  return s;
}

TEST(Scenario, ComesBackFromJsonAsItWas) {
  EXPECT_EQ(to_json(scenario_from_json(to_json(unusual()))), to_json(unusual()));
  EXPECT_NE(to_json(unusual()), to_json(Scenario{}));
}

TEST(Scenario, ComesBackWithNoOtherOptionsThanItsOwn) {
  Scenario s = unusual();
  s.walker = {"lennard_jones", {{"atoms", "13"}}};
  EXPECT_EQ(scenario_from_json(to_json(s)).walker, s.walker);
}

TEST(Scenario, HasAnIdealHoweverManyItemsThereAre) {
  const std::string path = testing::TempDir() + "scenario_test_trace.csv";
  std::ofstream file(path);
  for (int group = 0; group < 20000; ++group) file << "1000000000000000\n";
  file.close();
  Scenario s;
  s.ranks = 20000;
  s.group_size = 1;
  s.workload = {"trace", {{"file", path}}};
  EXPECT_DOUBLE_EQ(ideal_s(s), 1e15 * 0.1);
}

TEST(Scenario, ThatCannotBeExecutedIsRefused) {
  const std::vector<std::function<void(Scenario&)>> damages{
      [](Scenario& s) { s.ranks = 0; },
      [](Scenario& s) { s.ranks = -33; },
      [](Scenario& s) { s.ranks = largest_world + 1; },
      [](Scenario& s) { s.group_size = 0; },
      [](Scenario& s) { s.item_ms = -1; },
      [](Scenario& s) { s.jitter = -0.5; },
      [](Scenario& s) { s.walker.name = "crawl"; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Scenario damaged = unusual();
    damages[i](damaged);
    EXPECT_THROW(scenario_from_json(to_json(damaged)), std::invalid_argument) << i;
  }
}

TEST(Scenario, WithValuesThatItsWorkloadDoesNotTakeIsRefused) {
  Scenario damaged = unusual();
  damaged.workload.options.set("modulus", "0");
  EXPECT_THROW(initial_items(damaged), std::invalid_argument);
  damaged.workload = {"cyclic", {{"multiplier", "2"}}};
  EXPECT_THROW(initial_items(damaged), std::invalid_argument);
}

TEST(Scenario, HasAnotherFingerprintWithAnyOtherParameter) {
  const std::vector<std::function<void(Scenario&)>> changes{
      [](Scenario&) {},
      [](Scenario& s) { s.experiment = "other"; },
      [](Scenario& s) { s.engine = "mpi"; },
      [](Scenario& s) { s.ranks = 34; },
      [](Scenario& s) { s.group_size = 4; },
      [](Scenario& s) { s.item_ms = 0.2; },
      [](Scenario& s) { s.speedup.options.set("serial_fraction", "0.2"); },
      [](Scenario& s) {
        s.speedup = {"perfect", {}};
      },
      [](Scenario& s) { s.jitter = 0; },
      [](Scenario& s) { s.workload.options.set("modulus", "8"); },
      [](Scenario& s) { s.walker.name = "sleep"; },
      [](Scenario& s) { s.walker.options.set("state_bytes", "6"); },
      [](Scenario& s) { s.balancer.options.set("interval", "6"); },
      [](Scenario& s) { s.communicator = "range"; },
      [](Scenario& s) { s.waiting = "direct"; },
      [](Scenario& s) { s.repetition = 5; },
      [](Scenario& s) { s.seed = 78; },
  };
  std::set<std::string> fingerprints;
  for (const auto& change : changes) {
    Scenario scenario = unusual();
    change(scenario);
    fingerprints.insert(fingerprint(scenario));
  }
  EXPECT_EQ(fingerprints.size(), changes.size());
}

TEST(Scenario, KeepsItsFingerprintWithAnotherTimeLimit) {
  Scenario patient = unusual();
  patient.timeout_s *= 2;
  EXPECT_EQ(fingerprint(patient), fingerprint(unusual()));
}

TEST(Scenario, KeepsItsFingerprintWithoutAStorm) {
  Scenario older;
  older.measure = {"creation", {{"samples", "30"}}};
  Scenario younger = older;
  younger.measure.options.set("storm", "0");
  EXPECT_EQ(fingerprint(younger), fingerprint(older));
  younger.measure.options.set("storm", "1");
  EXPECT_NE(fingerprint(younger), fingerprint(older));
}

TEST(Scenario, SpreadsItsWorkOverItsGroups) {
  Scenario scenario = unusual();
  scenario.ranks = 10;
  EXPECT_THAT(initial_items(scenario), ElementsAre(0, 6, 12, 4));
  EXPECT_DOUBLE_EQ(ideal_s(scenario), 22 * 0.0001 / 10);
}

TEST(Scenario, DrawsOtherWorkInEveryRepetitionAndWithEverySeed) {
  Scenario first;
  first.ranks = 40;
  first.workload = {"uniform", {{"mean", "1000"}}};
  Scenario second = first;
  second.repetition = 2;
  EXPECT_EQ(initial_items(first), initial_items(first));
  EXPECT_NE(initial_items(first), initial_items(second));
  second.repetition = 1;
  second.seed = 2;
  EXPECT_NE(initial_items(first), initial_items(second));
}

TEST(Scenario, DrawsOtherTimesAndDecisionsInEveryRepetitionAndWithEverySeed) {
  const auto item_s = [](const Scenario& s) { return resolve_item_time(s).seconds(4, 8, 17); };
  const Scenario first = unusual();
  Scenario repeated = first;
  ++repeated.repetition;
  Scenario reseeded = first;
  ++reseeded.seed;
  EXPECT_EQ(item_s(first), item_s(first));
  for (const Scenario& other : {repeated, reseeded}) {
    EXPECT_NE(item_s(first), item_s(other));
    EXPECT_NE(resolve(first).stream, resolve(other).stream);
  }
}

TEST(Scenario, RefusesAnUnknownWorkload) {
  Scenario scenario;
  scenario.workload = {"magic", {}};
  EXPECT_THROW(initial_items(scenario), std::invalid_argument);
}

}  // namespace
}  // namespace regroup
