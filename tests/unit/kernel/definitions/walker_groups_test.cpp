// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/named/walker_groups.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "kernel/files/yaml.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;

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

TEST(WalkerGroups, AreGivenByRank) {
  EXPECT_THAT(refusal("  - name: A\n    members:\n    - 0-3\n    - pd-01\n"),
              HasSubstr("groups.yaml:5: the members of walker groups are given by rank, and not by "
                        "processor as 'pd-01'"));
}

TEST(WalkerGroups, AreOfAsManyRanksAsARunCanHave) {
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
}  // namespace regroup
