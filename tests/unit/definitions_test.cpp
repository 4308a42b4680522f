// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "communicators/named/walker_groups.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/named.hpp"

namespace regroup::definitions_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<std::string> processors{"pd-01", "pd-02", "pd-03", "pd-04"};

// The file in section 3.2 of the paper, and its intercommunicator.
const std::string of_the_paper = R"(<comm name="MPI_COMM_RED">
<processor>pd-01</processor>
<processor>pd-02</processor>
<comm name="MPI_COMM_PINK">
<processor>pd-02</processor>
</comm>
</comm>
<comm name="MPI_COMM_RED">
<processor>pd-03</processor>
</comm>
<comm name="MPI_COMM_BLACK">
<processor>pd-04</processor>
</comm>
<intercomm name="MPI_COMM_INTER">
<first color="1">MPI_COMM_RED</first>
<second>MPI_COMM_BLACK</second>
</intercomm>
)";

std::vector<int> list_of(const Members& members) {
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  return ranks;
}

/// Returns the ranks of every communicator of a file.
std::vector<std::vector<int>> groups_of(const std::string& text, int ranks,
                                        const std::vector<std::string>& on = {}) {
  const Definitions definitions = Definitions::parse(text, "file");
  const DefinedGroups groups(definitions, ranks, on);
  std::vector<std::vector<int>> all;
  for (int place = 0; place < std::ssize(definitions.communicators()); ++place) {
    all.push_back(list_of(groups.members(place)));
  }
  return all;
}

/// Returns the ranks of a communicator with the given `members`.
std::vector<int> group_of(const std::string& members, int ranks,
                          const std::vector<std::string>& on = {}) {
  return groups_of("communicators: [{name: A, members: " + members + "}]", ranks, on).at(0);
}

template <class Text>
void expect_wrong(const std::string& text, const Text& message) {
  EXPECT_THAT([&] { groups_of(text, 4, processors); }, ThrowsMessage<UserError>(message)) << text;
}

TEST(Definitions, OfThePaperAreTheGroupsThatItStates) {
  EXPECT_THAT(groups_of(of_the_paper, 4, processors),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
  const Definitions definitions = Definitions::parse(of_the_paper, "file");
  const auto& all = definitions.communicators();
  EXPECT_EQ(all[0].color, 0);
  EXPECT_EQ(all[2].color, 1);
  EXPECT_EQ(all[1].parent, 0);
  const auto* inter = definitions.intercommunicator("MPI_COMM_INTER");
  ASSERT_NE(inter, nullptr);
  EXPECT_EQ(inter->first.communicator, 2);
  EXPECT_EQ(inter->second.communicator, 3);
}

TEST(Definitions, SayTheSameInYaml) {
  const auto groups = groups_of(R"(communicators:
  - name: RED
    members: [pd-01, pd-02]
    communicators: [{name: PINK, members: [pd-02]}]
  - name: RED
    members: [pd-03]
  - name: BLACK
    members: ['p[d4]-0[4-9]']
  - intercommunicator: BRIDGE
    first: {name: RED, color: 1}
    second: BLACK
)",
                                4, processors);
  EXPECT_EQ(groups, groups_of(of_the_paper, 4, processors));
}

TEST(Definitions, TakeMembersAsWrittenOrByKey) {
  EXPECT_THAT(group_of("[3, 0, 1-2]", 4), ElementsAre(3, 0, 1, 2));
  EXPECT_THAT(group_of("[{ranks: 3, key: 2}, {ranks: 0-1, key: 1}, 2]", 4),
              ElementsAre(2, 0, 1, 3));
}

TEST(Definitions, TakeProcessesOfAProcessorInTheOrderOfRanksAndOfTheAlphabet) {
  const std::vector<std::string> cyclic{"b", "a", "b", "a", "b"};
  EXPECT_THAT(group_of("[b, a]", 5, cyclic), ElementsAre(0, 2, 4, 1, 3));
  EXPECT_THAT(group_of("['b:2', 'a:0']", 5, cyclic), ElementsAre(4, 1));
  EXPECT_THAT(group_of("['[ab]']", 5, cyclic), ElementsAre(1, 3, 0, 2, 4));
  EXPECT_THAT(group_of("['[ab]:0']", 5, cyclic), ElementsAre(1, 0));
  const std::vector<std::string> on{"pd-10", "pd-02", "xpd-01", "pd-01", "pd-011"};
  EXPECT_THAT(group_of("['pd-[01][0-9]']", 5, on), ElementsAre(3, 1, 0));
}

TEST(Definitions, TakeProcessorsByRangesOfNumbers) {
  const std::vector<std::string> on{"n10", "n1", "n2", "n12", "n02", "n1"};
  EXPECT_THAT(group_of("['n[1-12]']", 6, on), ElementsAre(1, 5, 2, 0, 3));
  EXPECT_THAT(group_of("['n[1-12]:0']", 6, on), ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(group_of("['n[10,01-02]']", 6, on), ElementsAre(0, 4));
  EXPECT_THAT(group_of("['n[12]']", 6, on), ElementsAre(1, 5, 2)) << "two characters, as before";
  EXPECT_THAT(group_of("['n[1-12].*']", 6, on), ElementsAre(1, 5, 0, 3, 2)) << "an expression";
  const std::vector<std::string> addresses{"10.0.0.10", "fe80::1", "10.0.0.9", "fe80::1"};
  EXPECT_THAT(group_of("['10.0.0.[9-10]', 'fe80::1']", 4, addresses), ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(group_of("['[fe80::1]:1']", 4, addresses), ElementsAre(3));
  EXPECT_THROW(group_of("['n[12-1]']", 6, on), UserError);
  EXPECT_THROW(group_of("['n[1-99999999]']", 6, on), UserError);
  EXPECT_THROW(group_of("['n[3-9]']", 6, on), UserError) << "nobody is there";
}

// Section 4 of the paper: twelve processors pd-RC in three rows and four columns.
TEST(Definitions, OfTheGridAreThePapersRowsAndColumns) {
  std::vector<std::string> grid;
  for (int rank = 0; rank < 12; ++rank) grid.push_back(fmt::format("pd-{}{}", rank / 4, rank % 4));
  std::string text;
  for (int row = 0; row < 3; ++row) {
    text +=
        fmt::format("<comm name='HORIZONTAL_{0}'><processor>pd-[{0}][0-3]</processor></comm>", row);
  }
  for (int column = 0; column < 4; ++column) {
    text += fmt::format("<comm name='VERTICAL_{0}'><processor>pd-[0-2][{0}]</processor></comm>",
                        column);
  }
  EXPECT_THAT(groups_of(text, 12, grid),
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7),
                          ElementsAre(8, 9, 10, 11), ElementsAre(0, 4, 8), ElementsAre(1, 5, 9),
                          ElementsAre(2, 6, 10), ElementsAre(3, 7, 11)));
}

TEST(Definitions, KnowAChildsMembersByTheRanksOfItsParent) {
  const Definitions definitions = Definitions::parse(
      "communicators: [{name: A, members: [3, 1, 2], communicators: [{name: B, members: [2, 3]}]}]",
      "file");
  const DefinedGroups groups(definitions, 4, {});
  EXPECT_THAT(list_of(groups.members_in_parent(1)), ElementsAre(2, 0));
}

TEST(Definitions, RefuseAMemberThatTheParentDoesNotHave) {
  std::string text = of_the_paper;
  text.replace(text.find("pd-02</processor>\n</comm>"), 5, "pd-03");
  expect_wrong(text, "file:5: rank 2 on pd-03 is not in MPI_COMM_RED, the parent of MPI_COMM_PINK");
}

TEST(Definitions, RefuseMembersThatThereAreNotOrTwice) {
  expect_wrong("communicators:\n- name: A\n  members: [pd-07]\n",
               "file:3: no process is on a processor 'pd-07'; there are: pd-01 (1), pd-02 (1), "
               "pd-03 (1), pd-04 (1)");
  expect_wrong("communicators: [{name: A, members: ['x.*']}]", HasSubstr("one that matches 'x.*'"));
  expect_wrong("communicators: [{name: A, members: ['pd-01:1']}]", HasSubstr("'pd-01:1'"));
  expect_wrong("communicators: [{name: A, members: [4]}]", "file:1: there is no rank 4: 0 to 3");
  EXPECT_THAT([] { group_of("[pd-01]", 4); },
              ThrowsMessage<UserError>(HasSubstr("no processors were named")));
  expect_wrong("communicators: [{name: A, members: [1-2, pd-02]}]",
               "file:1: rank 1 on pd-02 is in A a second time");
  expect_wrong("communicators:\n- {name: A, members: [1]}\n- {name: A, members: [0-1]}\n",
               "file:3: rank 1 on pd-02 is in two communicators A");
}

TEST(Definitions, RefuseBadNamesAndExpressions) {
  for (const char* name : {"1A", "a-b", "'a b'", "MPI.X", "ä"}) {
    expect_wrong(fmt::format("communicators: [{{name: {}, members: [1]}}]", name),
                 HasSubstr("is not a valid name"));
  }
  expect_wrong("communicators: [{name: A, members: ['pd-[0']}]",
               HasSubstr("is not a regular expression"));
  expect_wrong("communicators: [{name: A, members: ['((a{1,1000}){1,1000}){1,1000}']}]",
               HasSubstr("is not a regular expression"));
}

TEST(Definitions, RefuseWhatIntercommunicatorsCannotJoin) {
  const std::string two =
      "communicators:\n- {name: A, members: [0], communicators: [{name: C, members: [0]}]}\n"
      "- {name: B, members: [1]}\n- {name: B, members: [2]}\n";
  const auto joins = [&](const char* first, const char* second) {
    return fmt::format("{}- {{intercommunicator: X, first: {}, second: {}}}\n", two, first, second);
  };
  groups_of(joins("A", "{name: B, color: 1}"), 4, processors);
  expect_wrong(joins("A", "B"), "file:5: there are 2 of the name B: give a color, 0 to 1");
  expect_wrong(joins("A", "{name: B, color: 2}"), HasSubstr("no B of color 2: 0 to 1"));
  expect_wrong(joins("A", "A"), HasSubstr("X joins A to itself"));
  expect_wrong(joins("A", "X"), HasSubstr("X joins X, which is an intercommunicator"));
  expect_wrong(joins("A", "C"), HasSubstr("C, which has another parent"));
  expect_wrong(joins("A", "D"), HasSubstr("there is no communicator D"));
  expect_wrong(two + "- {name: D, members: [0-1]}\n- {intercommunicator: X, first: A, second: D}\n",
               "file:5: rank 0 on pd-01 is in both groups of X");
}

TEST(Definitions, RefuseWhatIsNeitherXmlNorYaml) {
  expect_wrong("", HasSubstr("file:1: empty"));
  expect_wrong("<comm name='A'>", HasSubstr("file:1: no XML"));
  expect_wrong("<comm name='A'>\n<processor>a</comm>", HasSubstr("file:2: no XML"));
  expect_wrong("communicators: [", HasSubstr("not YAML"));
  expect_wrong("groups: []", HasSubstr("unknown key 'groups': communicators"));
  expect_wrong("communicators:\n- name: A\n  size: 3\n",
               "file:3: unknown key 'size': name, members, communicators");
  expect_wrong("<comm name='A'><cpu>1</cpu></comm>", HasSubstr("unknown element 'cpu'"));
  expect_wrong("<comm name='A' colour='1'><rank>1</rank></comm>",
               HasSubstr("unknown attribute 'colour'"));
  expect_wrong("communicators: [{name: A, members: []}]", HasSubstr("A has no members"));
  expect_wrong("communicators: [{name: A, members: [3-1]}]", HasSubstr("'3-1' are not ranks"));
}

TEST(Definitions, RefuseFilesThatBlowUp) {
  std::string bomb = "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'>";
  for (char entity = 'b'; entity < 'k'; ++entity) {
    bomb += fmt::format("<!ENTITY {0} '&{1};&{1};&{1};&{1};&{1};&{1};&{1};&{1};&{1};&{1};'>",
                        entity, static_cast<char>(entity - 1));
  }
  expect_wrong(bomb + "]><comm name='A'><processor>&j;</processor></comm>",
               HasSubstr("a document type"));
  std::string deep;
  for (int level = 0; level < 10'000; ++level) deep += "<comm name='A'><rank>0</rank>";
  for (int level = 0; level < 10'000; ++level) deep += "</comm>";
  expect_wrong(deep, HasSubstr("nested in more than 32 levels"));
  std::string yaml = "communicators: ";
  for (int level = 0; level < 10'000; ++level) yaml += "[{name: A, members: [0], communicators: ";
  expect_wrong(yaml, HasSubstr("nested in more than"));
}

StartingGroups groups_of(const std::string& text, int most_ranks = 100) {
  return walker_groups(Definitions::parse(text, "groups.yaml"), most_ranks);
}

std::string refusal(const std::string& communicators) {
  try {
    groups_of("communicators:\n" + communicators);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(WalkerGroups, AreTheCommunicatorsThatAreInNoOther) {
  EXPECT_EQ(text_of(groups_of("communicators:\n"
                              "  - {name: B, members: [4-6, 9]}\n"
                              "  - name: A\n"
                              "    members: [3, 0-2]\n"
                              "    communicators: [{name: C, members: [1]}]\n"
                              "  - {name: A, members: [7, 8]}\n")),
            "0-3/4-6 9/7-8");
  EXPECT_EQ(text_of(groups_of("<comm name='A'><rank>1</rank></comm>"
                              "<comm name='B'><rank>0</rank><rank>2-3</rank></comm>")),
            "0 2-3/1");
}

TEST(WalkerGroups, HaveEachRankOnce) {
  EXPECT_THAT(refusal("  - {name: A, members: [0-3]}\n  - {name: A, members: [5]}\n"),
              HasSubstr("groups.yaml:3: rank 4 of 6 is in no walker group"));
  EXPECT_THAT(refusal("  - {name: A, members: [0-3]}\n  - {name: B, members: [3-4]}\n"),
              HasSubstr("groups.yaml:3: rank 3 is in B, and in A of line 2"));
  EXPECT_THAT(refusal("  - {name: A, members: [0-3]}\n  - {name: A, members: [3-4]}\n"),
              HasSubstr("rank 3 is in two communicators A"));
  EXPECT_THAT(refusal("  - {name: A, members: [0, 0]}\n"), HasSubstr("a second time"));
  EXPECT_THAT(refusal("  []\n"), HasSubstr("groups.yaml:1: there are no communicators"));
}

TEST(WalkerGroups, AreGivenByRanksThatARunCanHave) {
  EXPECT_THAT(refusal("  - name: A\n    members:\n    - 0-3\n    - pd-01\n"),
              HasSubstr("groups.yaml:5: the members of walker groups are given by rank, and not by "
                        "processor as 'pd-01'"));
  EXPECT_THAT(refusal("  - {name: A, members: [0-2000000000]}\n"),
              HasSubstr("groups.yaml:2: a run has no rank 2000000000: at most 100 of them"));
  EXPECT_THAT(refusal("  - {name: A, members: [0-100]}\n"), HasSubstr("a run has no rank 100"));
  EXPECT_EQ(groups_of("communicators: [{name: A, members: [0-99]}]\n").ranks(), 100);
}

TEST(WalkerGroups, InsideAnotherFileAreCheckedAsInTheirOwn) {
  const auto refused = [](const std::string& text) -> std::string {
    const std::vector<ConfigNode> inside = parse_yaml(text, "run.yaml", {});
    try {
      Definitions::of(inside.front(), "run.yaml");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const std::string two =
      "communicators:\n  - {name: A, members: [0]}\n  - {name: B, members: [1]}\n";
  EXPECT_EQ(refused(two), "");
  EXPECT_THAT(refused(two + "  - {intercommunicator: C, first: A, second: A}\n"),
              HasSubstr("run.yaml:4: C joins A to itself"));
  EXPECT_THAT(refused("members: [0]\n"), HasSubstr("run.yaml:1: unknown key 'members'"));
}

}  // namespace
}  // namespace regroup::definitions_test
