// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "kernel/starting_groups.hpp"
#include "regroup/workload.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Wants wants_of(std::string_view name, const Options& options, int walkers, std::uint64_t seed = 1) {
  return find_entry(wants(), name)->of(options, initial_groups(4 * walkers, 4), seed);
}

TEST(Wants, AreThoseOfAGroupOrAsManyForAll) {
  EXPECT_THAT(wants_of("group_size", {}, 3), ElementsAre(4, 4, 4));
  EXPECT_THAT(wants_of("fixed", {{"wanted_ranks", "7"}}, 2), ElementsAre(7, 7));
}

TEST(Wants, AreDrawnEvenlyAndByTheSeed) {
  const Options options{{"least_wanted_ranks", "3"}, {"most_wanted_ranks", "6"}};
  const Wants drawn = wants_of("uniform", options, 4000);
  for (const int number : {3, 4, 5, 6}) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, number)), 1000, 120) << number;
  }
  EXPECT_EQ(drawn, wants_of("uniform", options, 4000));
  EXPECT_NE(drawn, wants_of("uniform", options, 4000, 2));
  EXPECT_THAT(wants_of("uniform", {{"least_wanted_ranks", "5"}, {"most_wanted_ranks", "5"}}, 9),
              Each(5));
}

TEST(Wants, CannotBeMoreAtLeastThanAtMost) {
  EXPECT_THAT(
      [] {
        wants_of("uniform", {{"least_wanted_ranks", "5"}, {"most_wanted_ranks", "4"}}, 1);
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("5 to 4 ranks")));
}

class TaskFile : public TextFile {
 public:
  using TextFile::TextFile;
  /// Of two walkers.
  Wants wants() const { return wants_of("trace", {{"wants_file", path()}}, 2); }
  std::string mistake() const {
    return TextFile::mistake<std::invalid_argument>([&] { wants(); });
  }
};

TEST(Wants, AreAColumnOfATrace) {
  EXPECT_THAT(TaskFile("items,wants\n10,3\n20,1\n").wants(), ElementsAre(3, 1));
  EXPECT_EQ(TaskFile("items\n10\n20\n").mistake(), ":1: there is no column 'wants'");
  EXPECT_EQ(TaskFile("items,wants\n10,0\n20,1\n").mistake(),
            ":2: '0' is no number of ranks; allowed: integer from 1 to 1048576");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n20,-4\n").mistake(),
            ":3: '-4' is no number of ranks; allowed: integer from 1 to 1048576");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n20\n").mistake(), ":3: the row has no column 'wants'");
  EXPECT_EQ(TaskFile("items,wants\n10,2\n").mistake(), ": 1 rows of wants for 2 walkers");
}

}  // namespace
}  // namespace regroup
