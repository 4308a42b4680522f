// SPDX-License-Identifier: BSD-3-Clause
#include "library/task.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::task_test {
namespace {

using testing::ElementsAre;

Task unusual(NamedValues values = {}) {
  Task task = virtual_run({{"ranks", "33"},
                           {"group_size", "3"},
                           {"item_ms", "0.1"},
                           {"speedup", "amdahl(serial_fraction=0.1)"},
                           {"jitter", "0.3"},
                           {"workload", "cyclic(multiplier=2 modulus=7)"},
                           {"walker", "spin(state_bytes=5)"},
                           {"balancer", "collective(exchange_interval=5)"},
                           {"communicator", "create_group"},
                           {"waiting", "polite"},
                           {"repetition", "4"},
                           {"seed", "77"},
                           {"timeout_s", "12.5"}});
  task.experiment = "an \"odd\" name";
  return with(task, values);
}

TEST(Task, ComesBackFromJsonAsItWas) {
  const Task task = unusual({{"walker", "lennard_jones(atoms=13)"}});
  const Task back = task_from_json(to_json(task), catalog());
  EXPECT_EQ(to_json(back), to_json(task));
  EXPECT_EQ(back.run().walker, task.run().walker);
  EXPECT_EQ(back.run().balancer, task.run().balancer);
  EXPECT_EQ(back.run().strategy, task.run().strategy);
  EXPECT_EQ(fingerprint(back), fingerprint(task));
  EXPECT_NE(to_json(task), to_json(virtual_run()));
}

TEST(Task, HasAnIdealHoweverManyItemsThereAre) {
  const Items items(20'000, 1'000'000'000'000'000);
  EXPECT_DOUBLE_EQ(ideal_s(virtual_run({{"ranks", "20000"}}), items), 1e15 * 0.1);
}

TEST(Task, ThatCannotBeExecutedIsRefused) {
  const std::vector<std::function<void(Task&)>> damages{
      [](Task& task) { task.ranks = 0; },
      [](Task& task) { task.ranks = -33; },
      [](Task& task) { task.ranks = largest_world + 1; },
      [](Task& task) { task.run().group_size = 0; },
      [](Task& task) { task.run().groups = "0-3/5"; },
      [](Task& task) { task.run().item_ms = -1; },
      [](Task& task) { task.run().jitter = -0.5; },
      [](Task& task) { task.run().balancer = {}; },
      [](Task& task) { task.run().workload.options.set("modulus", "0"); },
      [](Task& task) { task.run().workload.options.set("depth", "1"); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Task damaged = unusual();
    damages[i](damaged);
    EXPECT_THROW(task_from_json(to_json(damaged), catalog()), std::invalid_argument) << i;
  }
  for (const char* part : {"spin", "collective", "create_group", "virtual"}) {
    std::string text = to_json(unusual());
    text.replace(text.find(part), 1, "x");
    EXPECT_THROW(task_from_json(text, catalog()), std::invalid_argument) << part;
  }
}

TEST(RunOf, SetsParametersByNameAndRefusesWhatTheyDoNotAllow) {
  const Task run = run_of(catalog(), {{"balancer", "spread"}, {"ranks", "32"}});
  EXPECT_EQ(run.ranks, 32);
  EXPECT_EQ(run.run().balancer->name, "spread");
  EXPECT_EQ(run.run().balancer.options, balancer("spread").options);
  EXPECT_EQ(run.run().workload->name, "cyclic");
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"ranks", "0"},
           {"colour", "red"},
           {"balancer", ""},
           {"balancer", "spred"},
           {"balancer", "collective(exchange_interval=0)"},
           {"balancer", "collective(depth=1)"},
           {"balancer", "collective(exchange_interval=1"}}) {
    EXPECT_THROW(run_of(catalog(), {{name, value}}), std::invalid_argument) << name << value;
  }
}

TEST(TextOfOptions, IsReadBackWhateverTheirValues) {
  Options options{{"a", "1"}};
  EXPECT_EQ(text_of("x", options), "x(a=1)");
  EXPECT_EQ(text_of("x", {}), "x");
  options.set("file", "a \"b\" (c) = \\d");
  options.set("empty", "");
  EXPECT_EQ(options_from(text_of(options)), options);
  EXPECT_EQ(choice_from(text_of("x", options)), (Choice{"x", options}));
  for (const char* wrong : {"x(", "x(a", "x(a=", "x(a=1)y", "(a=1)", "x(a=\"1)", "x y"}) {
    EXPECT_THROW(choice_from(wrong), std::invalid_argument) << wrong;
  }
}

/// Each change gives one parameter of unusual() another value. Only the name of the experiment, the
/// time limit and keep_states do not affect the fingerprint.
TEST(Fingerprint, IsAnotherOneWithAnyOtherParameter) {
  const std::vector<std::pair<std::string_view, std::string>> changes{
      {"engine", "mpi"},
      {"ranks", "34"},
      {"ranks_per_node", "3"},
      {"rank_order", "packed"},
      {"group_size", "4"},
      {"groups", "0-2/3-32"},
      {"groups", "0-2 4/3 5-32"},
      {"item_ms", "0.2"},
      {"workload", "cyclic(multiplier=2 modulus=8)"},
      {"walkers_per_group", "2"},
      {"walkers_in_all", "20"},
      {"wants", "uniform(most_wanted_ranks=3)"},
      {"speedup", "amdahl(serial_fraction=0.2)"},
      {"speedup", "perfect"},
      {"true_item_ms", "5"},
      {"true_speedup", "perfect"},
      {"jitter", "0"},
      {"walker", "sleep(state_bytes=5)"},
      {"walker", "spin(state_bytes=6)"},
      {"report_every", "1"},
      {"thin", "2"},
      {"keep_draws", "false"},
      {"until_r_hat", "1"},
      {"until_effective_samples", "1"},
      {"save_every", "1"},
      {"chain_errors", "end_chain"},
      {"item_timeout_s", "5"},
      {"extra_items", "1"},
      {"on_rank_loss", "recover"},
      {"faults", "slow:1x2"},
      {"balancer", "collective(exchange_interval=6)"},
      {"communicator", "range"},
      {"costs", "cluster"},
      {"waiting", "direct"},
      {"repetition", "5"},
      {"seed", "78"},
  };
  std::set<std::string> fingerprints{fingerprint(unusual())};
  std::set<std::string_view> changed{"timeout_s", "keep_states"};
  for (const auto& [name, value] : changes) {
    EXPECT_TRUE(fingerprints.insert(fingerprint(with(unusual(), {{name, value}}))).second) << name;
    changed.insert(name);
  }
  for (const Parameter& parameter : parameters()) {
    EXPECT_TRUE(changed.contains(parameter.spec.name)) << parameter.spec.name;
  }
  Task other = unusual();
  other.experiment = "other";
  EXPECT_EQ(fingerprint(other), fingerprint(unusual()));
  EXPECT_EQ(fingerprint(unusual({{"timeout_s", "25"}, {"keep_states", "true"}})),
            fingerprint(unusual()));
}

/// Stored results of users contain this fingerprint.
TEST(Fingerprint, StaysTheSame) { EXPECT_EQ(fingerprint(unusual()), "2b48bf5782fbbe26"); }

TEST(Parameters, AreWrittenReadAndCopiedByTheirRows) {
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(nullptr)) continue;
    Task task = virtual_run();
    parameter.copy(task, unusual());
    EXPECT_EQ(parameter.text(task), parameter.text(unusual())) << parameter.spec.name;
    Task read = virtual_run();
    parameter.set(read, parameter.text(unusual()), catalog());
    EXPECT_EQ(parameter.text(read), parameter.text(unusual())) << parameter.spec.name;
  }
}

TEST(Task, IsTheSameRunWhoeverNamesEqualGroups) {
  Task equal = virtual_run({{"ranks", "12"},
                            {"group_size", "3"},
                            {"jitter", "0.3"},
                            {"walkers_per_group", "3"},
                            {"workload", "uniform(mean_items=20)"}});
  for (const BalancerEntry& row : catalog().balancers) {
    SCOPED_TRACE(std::string(row.name));
    choose_balancer(equal, balancer(row.name));
    const Task named = with(equal, {{"groups", "3-5/0-2/6-8/9-11"}});
    EXPECT_EQ(initial_items(named), initial_items(equal));
    EXPECT_EQ(initial_wants(named), initial_wants(equal));
    EXPECT_EQ(simulate(named).lives, simulate(equal).lives);
  }
}

TEST(Task, StartsWithTheGroupsThatItNames) {
  const Task task = virtual_run({{"ranks", "12"},
                                 {"group_size", "7"},
                                 {"groups", "0-2 8-11/3/4-7"},
                                 {"workload", "cyclic(multiplier=1 modulus=100)"},
                                 {"balancer", "spread"},
                                 {"walkers_in_all", "5"}});
  const RunInput run = resolve(task);
  EXPECT_EQ(text_of(run.groups), task.run().groups);
  EXPECT_THAT(run.items, ElementsAre(0, 3, 4));
  ASSERT_EQ(run.queue.walkers().size(), 2u);
  EXPECT_EQ(run.queue.walkers()[1], (WaitingWalker{15, 15, 1}));
  EXPECT_EQ(run.queue.after(3), &run.queue.walkers()[1]);
  EXPECT_THAT(initial_wants(task), ElementsAre(7, 1, 4, 7, 1));
  EXPECT_EQ(smallest_group(task), 1);
}

TEST(Task, RefusesGroupsThatAreNotOfItsRanksOrThatItsBalancerCannotForm) {
  const Task gaps = virtual_run({{"ranks", "8"},
                                 {"group_size", "5"},
                                 {"groups", "0-3 5/4 6-7"},
                                 {"workload", "constant(mean_items=3)"}});
  EXPECT_NO_THROW(resolve(gaps));
  EXPECT_THROW(resolve(with(gaps, {{"ranks", "9"}})), std::invalid_argument);
  EXPECT_THROW(resolve(with(gaps, {{"group_size", "4"}})), std::invalid_argument);
  const Task ranges_only = with(gaps, {{"balancer", "asynchronous"}});
  EXPECT_THROW(resolve(ranges_only), std::invalid_argument);
  EXPECT_NO_THROW(resolve(with(ranges_only, {{"groups", "0-4/5-7"}})));
}

TEST(Hindrance, IsThereWhereAStrategyCannotFormTheGroupsOfABalancer) {
  const auto hindered = [](const char* by, const char* over) {
    return !hindrance(*balancer(by).row, *strategy(over)).empty();
  };
  EXPECT_FALSE(hindered("asynchronous", "range"));
  EXPECT_FALSE(hindered("collective", "comm_split"));
  EXPECT_TRUE(hindered("asynchronous", "comm_split"));  // it would deadlock
  EXPECT_FALSE(hindered("spread", "range"));
  EXPECT_TRUE(hindered("collective", "dup"));
}

TEST(Task, SpreadsItsWorkOverItsGroups) {
  const Task task = unusual({{"ranks", "10"}});
  EXPECT_THAT(initial_items(task), ElementsAre(0, 6, 12, 4));
  EXPECT_DOUBLE_EQ(ideal_s(task, initial_items(task)), 22 * 0.0001 / 10);
}

TEST(Task, DrawsOtherWorkTimesAndDecisionsInEveryRepetitionAndWithEverySeed) {
  const Task first =
      virtual_run({{"ranks", "40"}, {"jitter", "0.3"}, {"workload", "uniform(mean_items=1000)"}});
  const auto item_s = [](const Task& task) { return item_time_of(task).seconds(4, 8, 17); };
  EXPECT_EQ(initial_items(first), initial_items(first));
  EXPECT_EQ(item_s(first), item_s(first));
  for (const char* parameter : {"repetition", "seed"}) {
    const Task other = with(first, {{parameter, "2"}});
    EXPECT_NE(initial_items(first), initial_items(other));
    EXPECT_NE(item_s(first), item_s(other));
    EXPECT_NE(resolve(first).stream, resolve(other).stream);
  }
}

TEST(EventDetail, IsWhatWasAskedForAndFollowsTheRanksOtherwise) {
  for (const int ranks : {1, most_ranks_with_events, 1 << 20}) {
    EXPECT_EQ(event_detail("all", ranks), EventDetail::all);
    EXPECT_EQ(event_detail("summary", ranks), EventDetail::summary);
    EXPECT_EQ(event_detail("none", ranks), EventDetail::none);
  }
  EXPECT_EQ(event_detail("auto", 1), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events), EventDetail::all);
  EXPECT_EQ(event_detail("auto", most_ranks_with_events + 1), EventDetail::summary);
}

TEST(Duration, IsInWholeSecondsMinutesAndHours) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(0.2), "1 s");
  EXPECT_EQ(duration(8), "8 s");
  EXPECT_EQ(duration(59.5), "1:00");
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
  EXPECT_EQ(in_fitting_unit(0.9996), "1.00 s");
  EXPECT_EQ(in_fitting_unit(0.9994), "999 ms");
  EXPECT_EQ(in_fitting_unit(9.996e-3), "10.0 ms");
  EXPECT_EQ(in_fitting_unit(0), "0 s");
  EXPECT_EQ(in_fitting_unit(1e-12), "0.0010 ns");
  EXPECT_EQ(in_fitting_unit(1.25e-3, {9e-4, 1.4e-3}), "1.25 [0.90, 1.40] ms");
  EXPECT_EQ(in_fitting_unit(1.25e-3, {1e-7, 1.4e-3}), "1.25 [0.00010, 1.40] ms");
}

TEST(Rounded, HasMoreDecimalsWhereTheseWouldShowZeros) {
  EXPECT_EQ(rounded(7.013, 4), "7.0130");
  EXPECT_EQ(rounded(1234.56789, 3), "1234.568");
  EXPECT_EQ(rounded(0.5, 4), "0.5000");
  EXPECT_EQ(rounded(0.99999, 3), "1.000");
  EXPECT_EQ(rounded(0.0123456, 4), "0.0123");
  EXPECT_EQ(rounded(0.00123456, 4), "0.00123");
  EXPECT_EQ(rounded(3.5e-6, 4), "0.00000350");
  EXPECT_EQ(rounded(-3.5e-6, 4), "-0.00000350");
  EXPECT_EQ(rounded(0.0123456, 2), "0.012");
  EXPECT_EQ(rounded(0.0123456, 1), "0.01");
  EXPECT_EQ(rounded(0.0123456, 0), "0.01");
  EXPECT_EQ(rounded(1.5e-300, 3), "1.50e-300");
  EXPECT_EQ(rounded(0, 4), "0");
  EXPECT_EQ(rounded(-0.0, 4), "0");
  EXPECT_EQ(rounded(INFINITY, 4), "inf");
}

TEST(Rounded, ShowsADigitOfEachNumberAboveZero) {
  for (int decimals = 0; decimals < 6; ++decimals) {
    for (double number = 1e-300; number < 1e18; number *= 1.7) {
      const double shown = std::stod(rounded(number, decimals));
      EXPECT_NEAR(shown, number, 0.5 * number) << decimals;
    }
  }
}

Task paper(NamedValues values = {}) {
  return with(virtual_run({{"ranks", "32"},
                           {"workload", "cyclic(multiplier=10 modulus=32)"},
                           {"balancer", "collective(exchange_interval=16)"},
                           {"communicator", "comm_split"}}),
              values);
}

TEST(Describe, IsShortForAUsualRun) {
  EXPECT_EQ(describe(paper()), "32 ranks, G 4, T 100 ms, collective(16), comm_split, #1");
}

TEST(Describe, NamesWhatIsNotUsual) {
  const Task task = paper({{"item_ms", "0.5"},
                           {"workload", "exponential(mean_items=7)"},
                           {"speedup", "amdahl(serial_fraction=0.1)"},
                           {"jitter", "0.25"},
                           {"costs", "cluster"},
                           {"waiting", "direct"},
                           {"walker", "spin"},
                           {"balancer", "asynchronous(finished_groups=merge listen_ms=2)"},
                           {"seed", "5"},
                           {"repetition", "3"}});
  EXPECT_EQ(describe(task),
            "32 ranks, G 4, T 0.5 ms, exponential(mean_items=7), amdahl(serial_fraction=0.1), "
            "jitter 0.25, costs cluster, spin, asynchronous(merge, listen_ms=2), comm_split, "
            "waiting direct, seed 5, #3");
}

}  // namespace
}  // namespace regroup::task_test
