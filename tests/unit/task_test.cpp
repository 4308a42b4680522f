// SPDX-License-Identifier: BSD-3-Clause
#include "library/task.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "library/describe.hpp"
#include "library/resolve.hpp"

namespace regroup::task_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
  s.balancer = {"collective", {{"exchange_interval", "5"}}};
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
  s.workload = {"trace", {{"trace_file", path}}};
  EXPECT_DOUBLE_EQ(ideal_s(s), 1e15 * 0.1);
}

TEST(Scenario, ThatCannotBeExecutedIsRefused) {
  const std::vector<std::function<void(Scenario&)>> damages{
      [](Scenario& s) { s.ranks = 0; },
      [](Scenario& s) { s.ranks = -33; },
      [](Scenario& s) { s.ranks = largest_world + 1; },
      [](Scenario& s) { s.group_size = 0; },
      [](Scenario& s) { s.groups = "0-3/5"; },
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
      [](Scenario& s) { s.groups = "0-2/3-32"; },
      [](Scenario& s) { s.groups = "0-2 4/3 5-32"; },
      [](Scenario& s) { s.item_ms = 0.2; },
      [](Scenario& s) { s.speedup.options.set("serial_fraction", "0.2"); },
      [](Scenario& s) {
        s.speedup = {"perfect", {}};
      },
      [](Scenario& s) { s.jitter = 0; },
      [](Scenario& s) { s.workload.options.set("modulus", "8"); },
      [](Scenario& s) { s.walker.name = "sleep"; },
      [](Scenario& s) { s.walker.options.set("state_bytes", "6"); },
      [](Scenario& s) { s.balancer.options.set("exchange_interval", "6"); },
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

TEST(Scenario, KeepsItsFingerprintWithoutWhatIsYounger) {
  Scenario older;
  older.measure = {"creation", {{"samples", "30"}}};
  for (const char* option : {"storm_regroupings", "attributes", "in_flight"}) {
    Scenario younger = older;
    younger.measure.options.set(option, "0");
    EXPECT_EQ(fingerprint(younger), fingerprint(older)) << option;
    younger.measure.options.set(option, "1");
    EXPECT_NE(fingerprint(younger), fingerprint(older)) << option;
  }
}

/// Results that are there have these names.
TEST(Scenario, KeepsItsName) {
  EXPECT_EQ(fingerprint(Scenario()), "c7e85f4c4e43897a");
  EXPECT_EQ(fingerprint(unusual()), "5f2fc2bacdce5e68");
}

TEST(Scenario, IsTheSameRunWhoeverTellsOfEqualGroups) {
  Scenario equal;
  equal.engine = "virtual";
  equal.ranks = 12;
  equal.group_size = 3;
  equal.jitter = 0.3;
  equal.walkers_per_group = 3;
  equal.workload = {"uniform", {{"mean_items", "20"}}};
  for (const char* balancer :
       {"none", "spread", "batch", "asynchronous", "collective", "two_sided"}) {
    SCOPED_TRACE(balancer);
    equal.balancer = with_fallbacks(*find_entry(standard_catalog().balancers, balancer));
    equal.communicator = equal.balancer.name == "none" ? "" : "create_group";
    Scenario told = equal;
    told.groups = "3-5/0-2/6-8/9-11";
    EXPECT_EQ(initial_items(told), initial_items(equal));
    EXPECT_EQ(initial_wants(told), initial_wants(equal));
    EXPECT_EQ(simulate(told).lives, simulate(equal).lives);
  }
}

TEST(Scenario, StartsWithTheGroupsThatItTellsOf) {
  Scenario scenario;
  scenario.ranks = 12;
  scenario.group_size = 7;
  scenario.groups = "0-2 8-11/3/4-7";
  scenario.workload = {"cyclic", {{"multiplier", "1"}, {"modulus", "100"}}};
  scenario.balancer = with_fallbacks(*find_entry(standard_catalog().balancers, "spread"));
  scenario.walkers_in_all = 5;
  const auto run = resolve(scenario);
  EXPECT_EQ(text_of(run.groups), scenario.groups);
  EXPECT_THAT(run.items, ElementsAre(0, 3, 4));
  ASSERT_EQ(run.queue.walkers().size(), 2u);
  EXPECT_EQ(run.queue.walkers()[1], (WaitingWalker{15, 15, 1}));
  EXPECT_EQ(run.queue.after(3), &run.queue.walkers()[1]);
  EXPECT_THAT(initial_wants(scenario), ElementsAre(7, 1, 4, 7, 1));
  EXPECT_EQ(smallest_group(scenario), 1);
}

TEST(Scenario, RefusesGroupsThatAreNotOfItsRanksOrThatItsBalancerCannotForm) {
  Scenario scenario;
  scenario.ranks = 8;
  scenario.group_size = 5;
  scenario.groups = "0-3 5/4 6-7";
  scenario.workload = {"constant", {{"mean_items", "3"}}};
  EXPECT_NO_THROW(resolve(scenario));
  scenario.ranks = 9;
  EXPECT_THROW(resolve(scenario), std::invalid_argument);
  scenario.ranks = 8;
  scenario.group_size = 4;
  EXPECT_THROW(resolve(scenario), std::invalid_argument);
  scenario.group_size = 5;
  scenario.balancer = with_fallbacks(*find_entry(standard_catalog().balancers, "asynchronous"));
  EXPECT_THROW(resolve(scenario), std::invalid_argument);
  scenario.groups = "0-4/5-7";
  EXPECT_NO_THROW(resolve(scenario));
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
  first.workload = {"uniform", {{"mean_items", "1000"}}};
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

TEST(EventDetail, IsWhatWasAskedForHoweverManyRanksThereAre) {
  for (const int ranks : {1, most_ranks_with_events, 1 << 20}) {
    EXPECT_EQ(event_detail("all", ranks), EventDetail::all);
    EXPECT_EQ(event_detail("summary", ranks), EventDetail::summary);
    EXPECT_EQ(event_detail("none", ranks), EventDetail::none);
  }
}

TEST(EventDetail, FollowsTheRanksWhereNothingIsAskedFor) {
  EXPECT_EQ(event_detail("auto", 1), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events + 1), EventDetail::summary);
}

TEST(EventDetail, HasANameThatIsReadBack) {
  for (const EventDetail detail : {EventDetail::all, EventDetail::summary, EventDetail::none}) {
    EXPECT_EQ(event_detail_named(name(detail)), detail);
  }
  EXPECT_EQ(event_detail_named("auto"), std::nullopt);
  EXPECT_EQ(event_detail_named(""), std::nullopt);
}

TEST(EventDetail, SaysInItsHelpUpToWhichSize) {
  EXPECT_THAT(std::string(events_key.help),
              testing::HasSubstr(std::to_string(most_ranks_with_events)));
}

TEST(Duration, IsRoundedUpToWholeSeconds) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(0.2), "1 s");
  EXPECT_EQ(duration(8), "8 s");
  EXPECT_EQ(duration(59.5), "1:00");
}

TEST(Duration, HasMinutesAndHoursWhereItIsLonger) {
  EXPECT_EQ(duration(723), "12:03");
  EXPECT_EQ(duration(3599), "59:59");
  EXPECT_EQ(duration(3600), "1:00:00");
  EXPECT_EQ(duration(3920), "1:05:20");
  EXPECT_EQ(duration(360'000), "100:00:00");
}

TEST(InFittingUnit, HasThreeDigits) {
  EXPECT_EQ(in_fitting_unit(1), "1.00 s");
  EXPECT_EQ(in_fitting_unit(12.34), "12.3 s");
  EXPECT_EQ(in_fitting_unit(0.00125), "1.25 ms");
  EXPECT_EQ(in_fitting_unit(83e-6), "83.0 µs");
  EXPECT_EQ(in_fitting_unit(-83e-6), "-83.0 µs");
  EXPECT_EQ(in_fitting_unit(123.4e-9), "123 ns");
}

TEST(InFittingUnit, TakesTheNextUnitForWhatRoundsUpToIt) {
  EXPECT_EQ(in_fitting_unit(0.9996), "1.00 s");
  EXPECT_EQ(in_fitting_unit(0.9994), "999 ms");
  EXPECT_EQ(in_fitting_unit(9.996e-3), "10.0 ms");
}

TEST(InFittingUnit, TakesTheSmallestUnitForWhatIsSmaller) {
  EXPECT_EQ(in_fitting_unit(0), "0.00 ns");
  EXPECT_EQ(in_fitting_unit(1e-12), "0.00 ns");
}

Scenario paper() {
  Scenario scenario;
  scenario.ranks = 32;
  scenario.workload = {"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  scenario.balancer = {"collective", {{"exchange_interval", "16"}}};
  scenario.communicator = "comm_split";
  return scenario;
}

TEST(Describe, IsShortForAUsualRun) {
  EXPECT_EQ(describe(paper()), "32 ranks, G 4, T 100 ms, collective(16), comm_split, #1");
}

TEST(Describe, NamesWhatIsNotUsual) {
  Scenario scenario = paper();
  scenario.item_ms = 0.5;
  scenario.workload = {"exponential", {{"mean_items", "7"}}};
  scenario.speedup = {"amdahl", {{"serial_fraction", "0.1"}}};
  scenario.jitter = 0.25;
  scenario.costs = {"cluster", {}};
  scenario.waiting = "direct";
  scenario.walker = {"spin", {{"state_bytes", "0"}}};
  scenario.balancer = {"asynchronous", {{"finished_groups", "merge"}, {"listen_ms", "2"}}};
  scenario.seed = 5;
  scenario.repetition = 3;
  EXPECT_EQ(
      describe(scenario),
      "32 ranks, G 4, T 0.5 ms, exponential(mean_items=7), amdahl(serial_fraction=0.1), jitter "
      "0.25, costs cluster, waiting direct, spin, asynchronous(merge, listen_ms=2), "
      "comm_split, seed 5, #3");
}

TEST(Describe, DiffersForRunsThatDiffer) {
  Scenario other = paper();
  other.balancer.options.set("exchange_interval", "17");
  EXPECT_NE(describe(other), describe(paper()));
}

}  // namespace
}  // namespace regroup::task_test
