// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "driver/config/experiment.hpp"
#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"
#include "driver/execute/selection.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "tests/tasks.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::ThrowsMessage;

using Point = std::array<int, 3>;

Point point(const Task& task) { return {task.ranks, task.ranks_per_node, task.repetition}; }

Grid grid(std::size_t a, std::size_t b, std::size_t c) {
  Grid result{Task()};
  result.cross("a", a, [](Task& task, std::size_t i) { task.ranks = static_cast<int>(i); });
  result.cross("b", b,
               [](Task& task, std::size_t i) { task.ranks_per_node = static_cast<int>(i); });
  result.cross("c", c, [](Task& task, std::size_t i) { task.repetition = static_cast<int>(i); });
  return result;
}

TEST(Grid, HasEveryCombinationOnceTheFirstParameterVariesMostSlowly) {
  const Grid all = grid(2, 1, 3);
  std::vector<Point> points;
  for (std::size_t i = 0; i < all.size(); ++i) points.push_back(point(all.at(i)));
  EXPECT_THAT(points, ElementsAre(Point{0, 0, 0}, Point{0, 0, 1}, Point{0, 0, 2}, Point{1, 0, 0},
                                  Point{1, 0, 1}, Point{1, 0, 2}));
}

TEST(Grid, FindsTheIndexWithAnotherValue) {
  const Grid all = grid(2, 4, 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t b = 0; b < 4; ++b) {
      Point expected = point(all.at(i));
      expected[1] = static_cast<int>(b);
      EXPECT_EQ(point(all.at(all.with(i, all.axis("b"), b))), expected);
    }
    EXPECT_EQ(static_cast<int>(all.value(i, 2)), point(all.at(i))[2]);
  }
  EXPECT_THROW(all.axis("d"), std::logic_error);
}

TEST(Grid, VisitsTheIndicesThatDifferInSomeParameters) {
  const Grid all = grid(2, 2, 3);
  std::vector<Point> points;
  all.each(all.with(0, 1, 1), std::array<std::size_t, 2>{2, 0},
           [&](std::size_t index) { points.push_back(point(all.at(index))); });
  EXPECT_THAT(points, ElementsAre(Point{0, 1, 0}, Point{1, 1, 0}, Point{0, 1, 1}, Point{1, 1, 1},
                                  Point{0, 1, 2}, Point{1, 1, 2}));
}

TEST(Grid, KnowsItsSizeHoweverLargeItIs) {
  EXPECT_EQ(grid(1001, 1, 1000).describe_size("runs"), "1001000 runs: 1001 a × 1000 c");
  constexpr std::size_t large = 1'000'000'000'000;
  EXPECT_EQ(grid(large, large, large).size(), std::numeric_limits<std::size_t>::max());
}

// Experiments.

/// Returns "1, 2, 3, …" up to `number`.
std::string many(int number) {
  std::vector<int> all(static_cast<std::size_t>(number));
  std::iota(all.begin(), all.end(), 1);
  return fmt::format("{}", fmt::join(all, ", "));
}

Experiment experiment(const std::string& text) {
  return read_experiment({"test.yaml", text}, catalog());
}

/// Returns the descriptions of the tasks of `text`.
std::vector<std::string> tasks_of(const std::string& text) {
  const Experiment all = experiment(text);
  std::vector<std::string> tasks;
  for (std::size_t i = 0; i < all.size(); ++i) tasks.push_back(describe(all.at(i)));
  return tasks;
}

/// Returns the error message for `text` without the file name, or "none".
std::string mistake(const std::string& text) {
  try {
    experiment(text);
  } catch (const UserError& error) {
    const std::string_view what = error.what();
    EXPECT_TRUE(what.starts_with("test.yaml:")) << what;
    return std::string(what.substr(std::min<std::size_t>(10, what.size())));
  }
  return "none";
}

const std::string small = "engine: virtual\nranks: 8\nworkload: {kind: cyclic}\n";

TEST(Experiment, IsTheCrossProductOfTheValuesOfAllParameters) {
  EXPECT_THAT(
      tasks_of("engine: virtual\nranks: [8, 4]\nworkload: {kind: uniform, mean_items: 3}\n"
               "seed: [1, 2]\nbalancers: [none, {collective: {exchange_interval: [1, 2]}}]\n"),
      SizeIs(12));
  EXPECT_THAT(tasks_of(small + "balancers: [{collective: {exchange_interval: [2, 1], communicator: "
                               "[comm_split, create_group]}}]\n"),
              ElementsAre("8 ranks, G 4, T 100 ms, collective(2), comm_split, #1",
                          "8 ranks, G 4, T 100 ms, collective(2), create_group, #1",
                          "8 ranks, G 4, T 100 ms, collective(1), comm_split, #1",
                          "8 ranks, G 4, T 100 ms, collective(1), create_group, #1"));
}

TEST(Experiment, LeavesOutWhatWouldBeTheSameRunOnceMoreOrIsImpossible) {
  const Experiment runs = experiment(small + "seed: [1, 2]\nrepetitions: 3\nbalancers: [none]\n");
  EXPECT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs.left_out(), 5u);
  EXPECT_EQ(experiment(small + "seed: [1, 2]\njitter: 0.1\nbalancers: [none]\n").size(), 2u);
  EXPECT_THAT(tasks_of("measure: steps\nranks: [2, 4]\ngroup_size: [2, 4]\n"), SizeIs(3));
}

TEST(Experiment, KnowsOfATaskWhatItTellsWithoutMakingIt) {
  const Experiment all = experiment("engine: [virtual, mpi]\nranks: [4, 8]\nbalancers: [none]\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Task task = all.at(i);
    EXPECT_EQ(all.ranks(i), task.ranks);
    EXPECT_EQ(all.is_real(i), task.is_real());
    EXPECT_EQ(all.is_exact(i), task.is_exact());
    EXPECT_EQ(all.engine(i), task.run().engine);
    EXPECT_EQ(static_cast<bool>(task.run().costs), task.is_exact());
  }
}

TEST(Experiment, RefusesMistakesWithTheirLine) {
  const auto refused = [](const std::string& text, const std::string& begin) {
    EXPECT_THAT(mistake(text), StartsWith(begin)) << text;
  };
  EXPECT_EQ(mistake(small + "balancers: [none]\n"), "none");
  refused(small + "balancers: [non]\n", "4: ");
  refused(small + "balancers: [none, none]\n", "4: ");
  refused(small + "balancers: []\n", "4: ");
  refused(small + "balancers: [{collective: {interval: 1}}]\n", "4: ");
  refused(small + "balancers: [{collective: {exchange_interval: 0}}]\n", "4: ");
  refused(small + "balancers: [{asynchronous: {communicator: comm_split}}]\n", "4: ");
  refused(small + "rank: 4\nbalancers: [none]\n", "4: ");
  refused(small + "ranks: 4\nbalancers: [none]\n", "4: ");
  refused(small + "jitter: lots\nbalancers: [none]\n", "4: ");
  refused(small + "group_size: [2, 2]\nbalancers: [none]\n", "4: ");
  refused(small + "walkers_in_all: 1\nbalancers: [none]\n", "4: ");
  refused(small + "workload: {kind: trace, trace_file: /no/file}\nbalancers: [none]\n", "4: ");
  refused("engine: virtua\nranks: 8\nbalancers: [none]\n", "1: ");
  refused("ranks: 0\nbalancers: [none]\n", "1: ");
  refused("measure: creatio\nranks: 4\n", "1: ");
  refused("measure: steps\nranks: 4\ngroup_size: 2\nbalancers: [none]\n", "4: ");
  refused("engine: simgrid\nranks: 100000\nbalancers: [none]\n", "2: ");
  EXPECT_THAT(mistake(small), HasSubstr("balancers"));
  EXPECT_THAT(mistake("seed: [" + many(2000) + "]\nranks: [" + many(2000) +
                      "]\njitter: 1\nengine: virtual\nbalancers: [none]\n"),
              HasSubstr("4000000"));
}

TEST(Zip, LetsListsAdvanceTogether) {
  const std::string rest = "engine: virtual\nbalancers: [none]\nranks: [8, 16]\n";
  EXPECT_THAT(tasks_of(rest + "group_size: [2, 4]\nzip: [ranks, group_size]\n"),
              ElementsAre("8 ranks, G 2, T 100 ms, none, #1", "16 ranks, G 4, T 100 ms, none, #1"));
  // Options that only some rows have.
  EXPECT_THAT(tasks_of(rest + "workload: [{kind: uniform, mean_items: [3, 4]}, cyclic]\n"
                              "zip: [mean_items, ranks]\n"),
              testing::UnorderedElementsAre(
                  "8 ranks, G 4, T 100 ms, uniform(mean_items=3), none, #1",
                  "16 ranks, G 4, T 100 ms, uniform(mean_items=4), none, #1",
                  "8 ranks, G 4, T 100 ms, none, #1", "16 ranks, G 4, T 100 ms, none, #1"));
  // Several zips; in one of them, a parameter that would be ignored on its own.
  EXPECT_THAT(tasks_of(rest + "timeout_s: [5, 6]\nseed: [1, 2]\njitter: [0.1, 0.2]\n"
                              "zip: [[ranks, timeout_s], [seed, jitter]]\n"),
              SizeIs(4));
  EXPECT_THAT(tasks_of("measure: steps\nranks: [4, 8]\ngroup_size: [2, 4]\n"
                       "zip: [ranks, group_size]\n"),
              SizeIs(2));
}

TEST(Zip, MakesCombinationsPossibleThatAreNotCrossed) {
  const std::string rest = "engine: virtual\nbalancers: [none]\nranks: [8, 16]\n";
  const std::string groups = "groups: [0-3/4-7, 0-7/8-15]\n";
  EXPECT_THAT(mistake(rest + groups), StartsWith("3: "));
  EXPECT_THAT(tasks_of(rest + groups + "zip: [ranks, groups]\n"), SizeIs(2));
}

TEST(Zip, ExecutesNothingTwice) {
  EXPECT_THAT(tasks_of(small + "timeout_s: [5, 6]\nseed: [1, 2]\nbalancers: [none]\n"
                               "zip: [timeout_s, seed]\n"),
              SizeIs(1))
      << "virtual time draws nothing";
  EXPECT_THAT(tasks_of("engine: mpi\nranks: 8\ncosts: [free, cluster]\ntimeout_s: [5, 6]\n"
                       "balancers: [none]\nzip: [timeout_s, costs]\n"),
              SizeIs(1));
}

TEST(Zip, RefusesMistakesWithTheirLine) {
  const std::string rest = small + "group_size: [2, 4, 8]\nseed: [1, 2]\nbalancers: [none]\n";
  const auto refused = [&](const std::string& zip, const std::string& part) {
    EXPECT_THAT(mistake(rest + zip), testing::AllOf(StartsWith("7: "), HasSubstr(part))) << zip;
  };
  refused("zip: [group_size, seed]\n", "3 values (line 4), and seed has 2 values (line 5)");
  refused("zip: [group_size, sed]\n", "did you mean 'seed'");
  refused("zip: [group_size, repetitions]\n", "is not a list here");
  refused("zip: [seed]\n", "at least two");
  refused("zip: seed\n", "at least two");
  refused("zip: [seed, seed]\n", "twice");
  refused("zip: {seed: seed}\n", "at least two");
  refused("zip: [[seed, group_size], seed]\n", "values");
}

TEST(Exclude, LeavesOutCombinations) {
  const std::string rest =
      "engine: virtual\nranks: [8, 16, 32]\ngroup_size: [2, 4]\n"
      "balancers: [none, {collective: {exchange_interval: [1, 2]}}]\n";
  const auto left = [&](const std::string& exclude) { return tasks_of(rest + exclude).size(); };
  EXPECT_EQ(left(""), 18u);
  EXPECT_EQ(left("exclude: [{ranks: 8, balancer: none}]\n"), 16u);
  EXPECT_EQ(left("exclude: [{ranks: [8, 16], balancers: none}, {group_size: 4}]\n"), 7u);
  EXPECT_EQ(left("exclude: [{exchange_interval: 2}, {exchange_interval: 1, ranks: 32}]\n"), 10u);
  EXPECT_EQ(left("exclude: [{communicator: comm_split, ranks: 8}]\n"), 14u);
  EXPECT_THAT(tasks_of("measure: steps\nranks: [4, 8]\ngroup_size: [2, 4]\n"
                       "exclude: [{ranks: 8, group_size: 2}]\n"),
              SizeIs(3));
  const Experiment experiment_left =
      experiment(small + "seed: [1, 2]\nbalancers: [none, spread]\nexclude: [{balancer: none}]\n");
  EXPECT_EQ(experiment_left.size(), 1u);
  EXPECT_EQ(experiment_left.excluded(), 2u);
  EXPECT_EQ(experiment_left.left_out(), 1u);
}

TEST(Exclude, KeepsWhatOnlyLooksLikeARepetitionOfTheExcluded) {
  const std::string rest = "ranks: 8\nbalancers: [none]\n";
  EXPECT_THAT(tasks_of("engine: virtual\nseed: [1, 2]\nexclude: [{seed: 1}]\n" + rest), SizeIs(1));
  EXPECT_THAT(
      tasks_of("engine: [virtual, mpi]\ncosts: [free, cluster]\nexclude: [{costs: free}]\n" + rest),
      SizeIs(2))
      << "costs mean nothing to real processes";
}

TEST(Exclude, AllowsWhatIsWrongOnlyInExcludedCombinations) {
  const std::string rest = "engine: [simgrid, virtual]\nranks: [8, 100000]\nbalancers: [none]\n";
  EXPECT_THAT(mistake(rest), StartsWith("2: "));
  EXPECT_EQ(mistake(rest + "exclude: [{engine: simgrid, ranks: 100000}]\n"), "none");
}

TEST(Exclude, RefusesMistakesWithTheirLine) {
  const auto refused = [&](const std::string& item, const std::string& part) {
    const std::string text = small + "balancers: [none, spread]\nexclude:\n  - " + item + "\n";
    EXPECT_THAT(mistake(text), testing::AllOf(StartsWith("6: "), HasSubstr(part))) << text;
  };
  refused("{ranks: 9}", "no combination");
  refused("{mean_items: 9}", "no combination");
  refused("{ranks: nine}", "'nine' is not a valid value of ranks");
  refused("{rank: 8}", "did you mean 'ranks'");
  refused("{balancer: non}", "did you mean 'none'");
  refused("{balancer: none, balancer: spread}", "duplicate");
  refused("{repetitions: 1}", "unknown name");
  refused("{}", "map");
  refused("none", "map");
  EXPECT_THAT(mistake(small + "balancers: [none]\nexclude: {ranks: 8}\n"), StartsWith("5: "));
  EXPECT_THAT(mistake(small + "balancers: [none]\nexclude: [{ranks: 8}]\n"), HasSubstr("no runs"));
}

TEST(NumberOfGroups, IsAValueOfTheKeyGroups) {
  const std::string rest = "engine: virtual\nworkload: cyclic\nbalancers: [none]\n";
  EXPECT_THAT(
      tasks_of(rest + "ranks: [8, 32]\ngroups: [3, 6]\n"),
      ElementsAre("8 ranks, 3 groups, T 100 ms, none, #1", "32 ranks, 3 groups, T 100 ms, none, #1",
                  "8 ranks, 6 groups, T 100 ms, none, #1",
                  "32 ranks, 6 groups, T 100 ms, none, #1"));
  const Experiment all = experiment(rest + "ranks: [8, 32]\ngroups: 06\n");
  EXPECT_EQ(all.at(0).run().groups, "6");
  EXPECT_EQ(all.at(0).run().group_size, 2);
  EXPECT_EQ(all.at(1).run().group_size, 6);
  EXPECT_THAT(tasks_of(rest + "ranks: 8\ngroup_size: [2, 4]\ngroups: [equal, 3]\n"), SizeIs(3));
  EXPECT_THAT(mistake(rest + "ranks: [4, 8]\ngroups: 6\n"), StartsWith("5: "));
  EXPECT_THAT(mistake(rest + "ranks: 8\ngroup_size: 4\ngroups: 2\n"), StartsWith("5: "));
  EXPECT_THAT(mistake(rest + "ranks: 8\ngroups: [2, 2]\n"), StartsWith("5: "));
  EXPECT_THAT(mistake(rest + "ranks: 8\ngroups: -2\n"), StartsWith("5: "));
}

const std::string repeated = "engine: virtual\nranks: 8\njitter: 0.1\nbalancers: [none, spread]\n";

TEST(Repetitions, MayEndWhereEnoughIsKnown) {
  const Experiment all =
      experiment(repeated + "repetitions: {at_least: 2, at_most: 9, until: 2.5%}\n");
  EXPECT_EQ(all.size(), 18u);
  EXPECT_EQ(all.repetitions.at_least, 2);
  EXPECT_DOUBLE_EQ(all.repetitions.until, 0.025);
  EXPECT_EQ(all.repetitions.certain(), 6) << "an interval needs six";
  EXPECT_EQ(experiment(repeated + "repetitions: {at_most: 9, until: 1 %}\n").repetitions.at_least,
            3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all.repetition(i), all.at(i).repetition);
    EXPECT_EQ(all.setting(i), all.setting(i % 2));
  }
  const Repetitions rule{2, 9, 0.01};
  EXPECT_FALSE(rule.suffice({}));
  EXPECT_FALSE(rule.suffice({1, 1, 1, 1, 1}));
  EXPECT_TRUE(rule.suffice({1, 1, 1.018, 1, 1, 1}));
  EXPECT_FALSE(rule.suffice({1, 1, 1.03, 1, 1, 1}));
  EXPECT_TRUE(rule.suffice({0, 0, 0, 0, 0, 0}));
}

TEST(Repetitions, AreRefusedWhereTheyAreNoRule) {
  for (const char* rule :
       {"{at_most: 9}", "{until: 1%}", "{at_most: 5, until: 1%}", "{at_most: 9, until: 1}",
        "{at_most: 9, until: 0%}", "{at_most: 9, until: 200%}", "{at_most: 9, until: x%}",
        "{at_least: 10, at_most: 9, until: 1%}", "{at_most: [9, 10], until: 1%}",
        "{at_most: 9, until: [1%]}", "{at_most: 9, until: 1%, seed: 1}", "[1, 2]", "0", "x"}) {
    EXPECT_THAT(mistake(repeated + "repetitions: " + rule + "\n"), StartsWith("5: ")) << rule;
  }
  EXPECT_THAT(
      mistake("measure: steps\nranks: 4\ngroup_size: 2\nrepetitions: {at_most: 9, until: 1%}\n"),
      StartsWith("4: "));
}

ConfigNode parsed(std::string_view text, const YamlLimits& limits = {}) {
  return parse_yaml(text, "file", limits).at(0);
}

TEST(Yaml, KnowsTheLineOfEverything) {
  const ConfigNode root = parsed("# c\na: 1\nb:\n  - x\n  - {y: z,\n     w: }\n");
  ASSERT_THAT(root.pairs, SizeIs(2));
  EXPECT_EQ(root.line, 2);
  EXPECT_EQ(root.pairs[1].first.line, 3);
  const ConfigNode& list = root.pairs[1].second;
  EXPECT_EQ(list.line, 4);
  ASSERT_THAT(list.items, SizeIs(2));
  EXPECT_EQ(list.items[1].line, 5);
  EXPECT_EQ(list.items[1].pairs[1].first.line, 6);
  EXPECT_EQ(list.items[1].pairs[1].second.line, 6);
}

TEST(Yaml, HasNoTextWhereNoneIsGiven) {
  for (const ConfigNode& item : parsed("[~, null, '', Null, NULL, !!str ,]").items) {
    EXPECT_THAT(item.text, IsEmpty());
  }
  for (const ConfigNode& item : parsed("['~', \"null\"]").items) {
    EXPECT_THAT(item.text, SizeIs(testing::Gt(0)));
  }
  EXPECT_THAT(parse_yaml("# nothing\n", "file", {}), IsEmpty());
}

TEST(Yaml, PutsInWhatAliasesStandFor) {
  const ConfigNode root = parsed("a: &x [1, &y 2]\nb: *x\nc: &x 3\nd: [*x, *y]\n");
  EXPECT_THAT(root.pairs[1].second.items, SizeIs(2));
  EXPECT_EQ(root.pairs[1].second.items[1].text, "2");
  EXPECT_EQ(root.pairs[3].second.items[0].text, "3");
  EXPECT_EQ(root.pairs[3].second.items[1].text, "2");
}

TEST(Yaml, ReadsSeveralDocuments) {
  const auto documents = parse_yaml("a\n--- &x b\n---\n- c\n", "file", {});
  ASSERT_THAT(documents, SizeIs(3));
  EXPECT_EQ(documents[1].text, "b");
  EXPECT_EQ(documents[2].line, 4);
  EXPECT_THROW(parse_yaml("&x b\n---\n*x\n", "file", {}), UserError) << "an anchor of another one";
}

TEST(Yaml, HasLimitsThatMayJustBeReached) {
  const YamlLimits limits{20, 4, 2};
  EXPECT_NO_THROW(parsed("[1, 2, 3]", limits));
  EXPECT_THAT([&] { parsed("[1, 2, 3,\n4]", limits); },
              ThrowsMessage<UserError>(HasSubstr("file:2: more than 4 values")));
  EXPECT_THAT([&] { parsed("[[1]]", limits); },
              ThrowsMessage<UserError>(HasSubstr("file:1: nested in more than 2 levels")));
  EXPECT_NO_THROW(parsed("[aaaaaaaaaa, bbbbbbbbbb]", limits));
  EXPECT_THAT([&] { parsed("[aaaaaaaaaa,\n bbbbbbbbbbb]", limits); },
              ThrowsMessage<UserError>(HasSubstr("file:2: more than 20 bytes")));
  EXPECT_NO_THROW(parsed("[&a aaaaaaaaaa, *a]", limits));
  EXPECT_THAT([&] { parsed("[&a aaaaaaaaaa, *a, *a]", limits); },
              ThrowsMessage<UserError>(HasSubstr("more than 20 bytes")));
  EXPECT_THAT([&] { parsed("[&a 1, *a, *a, *a]", limits); },
              ThrowsMessage<UserError>(HasSubstr("more than 4 values")));
}

TEST(Yaml, KnowsTheLineOfValuesThatAreLeftOut) {
  const ConfigNode root = parsed("a:\n\n# about b\nb: ~\nc:\n  ~\nd:\n");
  EXPECT_EQ(root.pairs[0].second.line, 1);
  EXPECT_EQ(root.pairs[1].second.line, 4);
  EXPECT_EQ(root.pairs[2].second.line, 6);
  EXPECT_EQ(root.pairs[3].second.line, 7);
  EXPECT_EQ(parsed("- a\n-\n- b\n").items[1].line, 2);
}

TEST(Yaml, RefusesHostileTextsWithTheirLines) {
  const auto refused = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parsed(text); }, ThrowsMessage<UserError>(HasSubstr(message)))
        << text.substr(0, 40);
  };
  refused(",\n", "file:1: not YAML");
  refused("a\n---\nb\n---\n,\n", "file:5: not YAML");
  refused("a: 1\nb: &x [1, *x]\n", "file:2: not YAML");
  refused("a: 1\nb: &x {c: *x}\n", "file:2: not YAML");
  refused("a: 1\nb: *x\n", "file:2: not YAML");
  refused("a: 1\n" + std::string(10'000, '['), "file:2: nested in more than 64 levels");
  refused("a: 1\n" + std::string(10'000, '{'), "file:2: nested in more than 64 levels");
  std::string deep = "a: 1\nb:\n";
  for (int level = 1; level < 10'000; ++level) deep += std::string(level, ' ') + "-\n";
  refused(deep, "nested in more than 64 levels");
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'z'; ++name) {
    const char last = static_cast<char>(name - 1);
    bomb += fmt::format("{0}: &{0} [*{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}]\n", name, last);
  }
  refused(bomb, "more than 10000 values");
}

TEST(Yaml, SaysWhereBytesAreNoCharacters) {
  EXPECT_THAT([] { parsed("a: 1\n# fine: \xc3\xa4\n# not: \xe4\n"); },
              ThrowsMessage<UserError>(HasSubstr("file:3: not YAML")));
  EXPECT_THAT([] { parsed(std::string("a: 1\nb: \0\n", 10)); },
              ThrowsMessage<UserError>(HasSubstr("file:2: not YAML")));
}

std::string changed(const std::string& text, std::vector<std::string> changes) {
  TextFile file(text);
  return text_of(ConfigSource(file.path(), std::move(changes)));
}

TEST(ChangesOfAConfiguration, LeaveOtherKeysTheirLinesAndComments) {
  const std::string text =
      "# of mine\nranks: 4  # few\nbalancers:\n  - none\n  - batch\n\n# last\nseed: 1\n";
  EXPECT_EQ(changed(text, {"ranks=[8, 16]"}),
            "# of mine\nranks: [8, 16]\nbalancers:\n  - none\n  - batch\n\n# last\nseed: 1\n");
  EXPECT_EQ(changed(text, {"balancers=[none]", "seed=2"}),
            "# of mine\nranks: 4  # few\nbalancers: [none]\n\n\n\n# last\nseed: 2\n");
  EXPECT_EQ(changed(text, {"group_size=2"}), text + "group_size: 2\n");
}

TEST(ChangesOfAConfiguration, AreMadeOneAfterTheOther) {
  EXPECT_EQ(changed("a: 1", {"b=2", "b={c: d}", "a="}), "a: \nb: {c: d}\n");
  EXPECT_EQ(changed("", {"a=1"}), "a: 1\n");
  EXPECT_EQ(changed("a: |\n  x\n\n  # of the text\n", {"b=1"}),
            "a: |\n  x\n\n  # of the text\nb: 1\n");
}

TEST(ChangesOfAConfiguration, AreRefusedWhereTheyAreNone) {
  for (const char* change :
       {"ranks", "=4", "a=[1", "a: b=1", "a=1\nb: 2", "a={b: 1}}", "a=b: c: d"}) {
    EXPECT_THAT([&] { changed("ranks: 4\n", {change}); },
                ThrowsMessage<UserError>(HasSubstr("allowed: KEY=VALUE")))
        << change;
  }
}

TEST(ChangesOfAConfiguration, AreRefusedWhereTheyWouldChangeMore) {
  for (const char* text : {"{a: 1, b: 2}\n", "a: &x 1\nb: *x\n", "a:\n  - 1\n  # c\n  - 2\n c: 1\n",
                           "a: 1\n---\nb: 2\n"}) {
    EXPECT_THROW(changed(text, {"a=3"}), UserError) << text;
  }
}

TEST(ChangesOfAConfiguration, AreToldWhereTheyAreWrong) {
  TextFile file("a: 1\nb: 2\n");
  const ConfigReader reader(ConfigSource(file.path(), {"a=x", "c=4", "c=y"}));
  const auto wrong = [&reader](const ConfigNode& node) { reader.fail(node, "wrong", "right"); };
  const auto& pairs = reader.root().pairs;
  EXPECT_THAT([&] { wrong(pairs[0].second); },
              ThrowsMessage<UserError>(HasSubstr(", --set 'a=x': wrong; right")));
  EXPECT_THAT([&] { wrong(pairs[1].second); }, ThrowsMessage<UserError>(HasSubstr(":2: wrong")));
  EXPECT_THAT([&] { wrong(pairs[2].first); },
              ThrowsMessage<UserError>(HasSubstr(", --set 'c=y': wrong")));
  EXPECT_THAT([&] { wrong(reader.root()); }, ThrowsMessage<UserError>(HasSubstr(":1: wrong")))
      << "the whole of it";
}

Experiment measurements(const std::string& more) {
  return experiment(
      "measure: steps\nranks: [2, 3, 4, 5, 6, 7, 8, 9]\ngroup_size: [1, 2]\nrepetitions: 2\n" +
      more);
}

Indices all_of(const Experiment& sweep) {
  Indices indices(sweep.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

TEST(Order, IsAPermutationOfEachRepetitionByTheSeed) {
  const Experiment sweep = measurements("");
  Indices some = all_of(sweep);
  Indices order = in_order(sweep, some);
  ASSERT_EQ(order.size(), 32u);
  EXPECT_NE(order, some);
  EXPECT_LT(*std::max_element(order.begin(), order.begin() + 16), 16u);
  EXPECT_TRUE(std::ranges::is_permutation(order, some));
  EXPECT_EQ(in_order(sweep, some), order);
  EXPECT_NE(in_order(measurements("seed: 2\n"), some), order);
  // A subset has the same order as the whole.
  const auto left = [](std::size_t index) { return index % 3 != 0; };
  std::erase_if(some, left);
  std::erase_if(order, left);
  EXPECT_EQ(in_order(sweep, some), order);
}

TEST(Order, IsAsWrittenWhereThatIsAskedForAndOfRuns) {
  const Experiment written = measurements("sweep_order: as_written\n");
  EXPECT_EQ(in_order(written, all_of(written)), all_of(written));
  const Experiment runs = experiment("ranks: [2, 4, 8]\nseed: [1, 2]\nbalancers: [none]\n");
  EXPECT_EQ(in_order(runs, all_of(runs)), all_of(runs));
}

TEST(Shard, IsTwoNumbers) {
  const Shard shard = shard_from("2/3");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.of, 3);
  EXPECT_EQ(shard_from("3/3").number, 3);
  for (const char* wrong : {"", "/", "1", "x/y", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "1.5/3"}) {
    EXPECT_THAT([&] { shard_from(wrong); }, ThrowsMessage<UserError>(HasSubstr(wrong))) << wrong;
  }
}

TEST(Division, HasEveryTaskOnceAndNoShardEmpty) {
  std::vector<Portion> portions;
  for (int i = 0; i < 23; ++i) portions.push_back({1 << (i % 4), 1 + 1000 * (i % 5)});
  for (int shards = 1; shards <= 23; ++shards) {
    Indices all;
    for (const Indices& own : divide(portions, shards)) {
      EXPECT_THAT(own, Not(IsEmpty())) << shards;
      EXPECT_TRUE(std::ranges::is_sorted(own)) << shards;
      all.insert(all.end(), own.begin(), own.end());
    }
    std::ranges::sort(all);
    Indices expected(portions.size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    EXPECT_EQ(all, expected) << shards;
    EXPECT_EQ(divide(portions, shards).size(), static_cast<std::size_t>(shards));
  }
}

TEST(Division, KeepsRepetitionsTogetherThatAreCountedTogether) {
  const Experiment all =
      experiment(repeated + "seed: [1, 2]\nrepetitions: {at_most: 9, until: 1%}\n");
  Indices every(all.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  std::size_t tasks = 0;
  for (const Indices& own : divide(all, every, 4)) {
    EXPECT_THAT(own, SizeIs(9));
    for (const std::size_t index : own) EXPECT_EQ(all.setting(index), all.setting(own.front()));
    tasks += own.size();
  }
  EXPECT_EQ(tasks, all.size());
  EXPECT_THROW(divide(all, every, 5), UserError);
}

TEST(Division, KeepsSizesTogetherAndSharesTime) {
  struct Case {
    const char* what;
    std::vector<Portion> portions;  // number of processes, and time
    std::vector<Indices> expected;
  };
  for (const auto& [what, portions, expected] :
       {Case{"no sizes mixed", {{4, 1}, {8, 1}, {4, 1}, {8, 1}}, {{0, 2}, {1, 3}}},
        Case{"… however long they take", {{4, 1}, {8, 9}, {8, 9}}, {{0}, {1, 2}}},
        Case{"neighbours mixed", {{8, 1}, {4, 1}, {2, 1}, {1, 1}}, {{2, 3}, {0, 1}}},
        Case{"most to what takes longest", {{4, 1}, {8, 5}, {4, 1}, {8, 5}}, {{0, 2}, {1}, {3}}},
        Case{"no more than there are tasks", {{4, 1}, {8, 1000}, {4, 1}}, {{0}, {2}, {1}}},
        Case{"by time", {{4, 6}, {4, 1}, {4, 1}, {4, 1}, {4, 1}}, {{0}, {1, 2, 3, 4}}},
        Case{"in order", {{4, 1}, {4, 1}, {4, 1}, {4, 1}}, {{0, 1}, {2, 3}}}}) {
    EXPECT_EQ(divide(portions, static_cast<int>(expected.size())), expected) << what;
  }
}

}  // namespace
}  // namespace regroup::config_test
