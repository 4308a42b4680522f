// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "driver/config/reader.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

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

}  // namespace
}  // namespace regroup
