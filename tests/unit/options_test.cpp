// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/options.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "balancers/balancers.hpp"
#include "regroup/workload.hpp"

namespace regroup::options_test {
namespace {

using testing::ElementsAre;

// Values of options, and the contract that every row of every list fulfils.

constexpr OptionSpec count = integer_option("count", "3", 1, 10, "so many");
constexpr OptionSpec share = real_option("share", "0.5", 0, 1, "a part");
constexpr std::array<std::string_view, 2> side_words{"left", "right"};
constexpr OptionSpec side = choice_option("side", "left", side_words, "where");
constexpr OptionSpec file = file_option("file", "what to read");

TEST(Complaint, IsEmptyForWhatIsAllowed) {
  for (const auto& [spec, value] : {std::pair(count, "1"),
                                    {count, "10"},
                                    {share, "0.25"},
                                    {share, "1e-3"},
                                    {side, "right"},
                                    {file, "items.csv"}}) {
    EXPECT_EQ(complaint(spec, value), "") << value;
  }
}

TEST(Complaint, NamesTheValueTheOptionAndWhatIsAllowed) {
  EXPECT_EQ(complaint(count, "11"),
            "'11' is not a valid value of count; allowed: integer from 1 to 10");
  EXPECT_EQ(complaint(share, "2"),
            "'2' is not a valid value of share; allowed: number from 0 to 1");
  EXPECT_EQ(complaint(side, "up"), "'up' is not a valid value of side; allowed: left | right");
  EXPECT_EQ(complaint(file, ""), "'' is not a valid value of file; allowed: path of a file");
}

TEST(Complaint, KnowsNoHalfNumbersAndWords) {
  const auto refused = [](const OptionSpec& spec, std::initializer_list<const char*> values) {
    for (const char* value : values) EXPECT_NE(complaint(spec, value), "") << value;
  };
  refused(count, {"", "three", "3x", " 3", "2.5", "0x3", "+3"});
  refused(share, {"", "nan", "inf", "0.5 ", "1,5"});
  refused(side, {"", "lef", "leftright", "left | right", "|"});
}

TEST(ValuesIn, SpellOutSizesAndRangesOfPowersOfTwo) {
  constexpr OptionSpec bytes = bytes_option("bytes", "8", 0, 1 << 20, "of each rank");
  const auto values = [&](const char* text) { return values_in(bytes, text); };
  EXPECT_THAT(values("12"), ElementsAre("12"));
  EXPECT_THAT(values("0K"), ElementsAre("0"));
  EXPECT_THAT(values("3K"), ElementsAre("3072"));
  EXPECT_THAT(values("1M"), ElementsAre("1048576"));
  EXPECT_THAT(values("1:8"), ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(values("512:2K"), ElementsAre("512", "1024", "2048"));
  EXPECT_THAT(values("4:4"), ElementsAre("4"));
  EXPECT_THAT(values_in(count, "3:4"), ElementsAre("3:4"));
  for (const char* text : {"", ":", "8:", ":8", "K", "-1", "1.5K", "8:12", "12:16", "0:8", "16:8",
                           "2M", "8:2M", "1G", "9000000000G", "8 K", "8k", "8:16:32"}) {
    EXPECT_THAT(values(text), ElementsAre(text));
    EXPECT_NE(complaint(bytes, text), "") << text;
  }
}

TEST(Options, AnswerWithTheirValuesAndThrowWhereThereAreNone) {
  const Options options{{"count", "7"}, {"share", "0.25"}, {"side", "left"}};
  EXPECT_EQ(options.integer("count"), 7);
  EXPECT_EQ(options.real("share"), 0.25);
  EXPECT_EQ(options.text("side"), "left");
  EXPECT_TRUE(options.has("count"));
  EXPECT_FALSE(options.has("mean_items"));
  EXPECT_THROW(options.text("mean_items"), std::out_of_range);
  EXPECT_THROW(options.integer("side"), std::out_of_range);
  EXPECT_THROW(options.real("side"), std::out_of_range);
}

TEST(WithFallbacks, LeavesOutWhatMustBeGiven) {
  static constexpr std::array specs{count, file};
  const Choice choice = with_fallbacks({"row", "a row", specs});
  EXPECT_EQ(choice, (Choice{"row", {{"count", "3"}}}));
}

TEST(CheckOptions, RefusesWhatAnEntryDoesNotTake) {
  const Entry& entry = *find_entry(balancers(), "collective");
  EXPECT_NO_THROW(check_options(entry, Options{{"exchange_interval", "4"}}));
  EXPECT_THROW(check_options(entry, Options{{"exchange_interval", "0"}}), std::invalid_argument);
  EXPECT_THROW(check_options(entry, Options{{"exchange_interval", "x"}}), std::invalid_argument);
  EXPECT_THROW(check_options(entry, Options{}), std::invalid_argument);
}

template <class Rows>
void expect_well_formed(const Rows& rows) {
  for (const auto& row : rows) {
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_EQ(find_entry(rows, row.name), &row) << row.name << " stands there twice";
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), row.name.npos) << row.name;
    for (const OptionSpec& spec : row.options) {
      EXPECT_FALSE(spec.help.empty()) << row.name << ' ' << spec.name;
      if (spec.fallback.empty()) continue;
      EXPECT_EQ(complaint(spec, spec.fallback), "") << row.name << ' ' << spec.name;
    }
  }
}

TEST(EveryList, HasNamedRowsWithHelpAndAllowedFallbacks) {
  expect_well_formed(balancers());
  expect_well_formed(workloads());
  expect_well_formed(speedups());
}

}  // namespace
}  // namespace regroup::options_test
