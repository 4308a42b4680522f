// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "driver/config/experiment.hpp"
#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"
#include "driver/config/selection.hpp"
#include "kernel/text/plain_text.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

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
  refused(",\n", "file:1: no YAML");
  refused("a\n---\nb\n---\n,\n", "file:5: no YAML");
  refused("a: 1\nb: &x [1, *x]\n", "file:2: no YAML");
  refused("a: 1\nb: &x {c: *x}\n", "file:2: no YAML");
  refused("a: 1\nb: *x\n", "file:2: no YAML");
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
              ThrowsMessage<UserError>(HasSubstr("file:3: no YAML")));
  EXPECT_THAT([] { parsed(std::string("a: 1\nb: \0\n", 10)); },
              ThrowsMessage<UserError>(HasSubstr("file:2: no YAML")));
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::vector<Portion> on(std::initializer_list<int> processes) {
  std::vector<Portion> portions;
  for (const int number : processes) portions.push_back({number, 1});
  return portions;
}

TEST(Shard, IsTwoNumbers) {
  const Shard shard = shard_from("2/3");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.of, 3);
  EXPECT_EQ(shard_from("3/3").number, 3);
}

TEST(Shard, OfWhatThereIsNotIsRefused) {
  for (const char* wrong : {"", "/", "1", "x/y", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "1.5/3"}) {
    EXPECT_THAT([&] { shard_from(wrong); }, ThrowsMessage<UserError>(HasSubstr(wrong))) << wrong;
  }
}

TEST(Division, HasEveryTaskOnceAndNoShardEmpty) {
  std::vector<Portion> portions;
  for (int i = 0; i < 23; ++i) portions.push_back({1 << (i % 4), 1 + 1000 * (i % 5)});
  for (int shards = 1; shards <= 23; ++shards) {
    Places all;
    for (const Places& own : divide(portions, shards)) {
      EXPECT_THAT(own, Not(IsEmpty())) << shards;
      EXPECT_TRUE(std::ranges::is_sorted(own)) << shards;
      all.insert(all.end(), own.begin(), own.end());
    }
    std::ranges::sort(all);
    Places expected(portions.size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    EXPECT_EQ(all, expected) << shards;
    EXPECT_EQ(divide(portions, shards).size(), static_cast<std::size_t>(shards));
  }
}

TEST(Division, MixesNoSizesWhereThereAreEnoughShards) {
  EXPECT_THAT(divide(on({4, 8, 4, 8}), 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  const std::vector<Portion> unequal{{4, 1}, {8, 9}, {8, 9}};
  EXPECT_THAT(divide(unequal, 2), ElementsAre(ElementsAre(0), ElementsAre(1, 2)));
}

TEST(Division, MixesNeighboursWhereThereAreNot) {
  EXPECT_THAT(divide(on({8, 4, 2, 1}), 2), ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1)));
}

TEST(Division, GivesMostShardsToTheSizeThatTakesLongest) {
  const std::vector<Portion> portions{{4, 1}, {8, 5}, {4, 1}, {8, 5}};
  EXPECT_THAT(divide(portions, 3), ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3)));
}

TEST(Division, GivesNoSizeMoreShardsThanItHasTasks) {
  const std::vector<Portion> portions{{4, 1}, {8, 1000}, {4, 1}};
  EXPECT_THAT(divide(portions, 3), ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(1)));
}

TEST(Division, IsByTimeAndNotByNumber) {
  const std::vector<Portion> portions{{4, 6}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}};
  EXPECT_THAT(divide(portions, 2), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4, 5, 6)));
}

TEST(Division, LeavesTheOrderOfTheConfiguration) {
  EXPECT_THAT(divide(on({4, 4, 4, 4}), 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

}  // namespace
}  // namespace regroup::config_test
