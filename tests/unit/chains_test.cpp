// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "kernel/chains/live_chain.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/outcome.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::chains_test {
namespace {

using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;

/// Sums item numbers; packs `too_many` bytes more than it unpacks.
class Sum final : public Walker {
 public:
  explicit Sum(int too_many) : too_many_(too_many) {}
  void execute(const Item& item, Team&) override { sum_ += item.number + 1; }
  void pack(Packer& state) const override {
    state.put(sum_);
    for (int i = 0; i < too_many_; ++i) state.put('x');
  }
  void unpack(Unpacker& state) override { sum_ = state.take<std::int64_t>(); }
  std::uint64_t digest() const override { return static_cast<std::uint64_t>(sum_); }

 private:
  int too_many_;
  std::int64_t sum_ = 0;
};

/// Observes the item number and twice that number; from item 5 on, `last` replaces the item number.
/// The first `warm_up` items are a warm-up.
class Counting final : public Walker {
 public:
  Counting(double last, int warm_up) : last_(last), warm_up_(warm_up) {}
  void execute(const Item& item, Team&) override { now_ = item.number; }
  void pack(Packer& state) const override { state.put(now_); }
  void unpack(Unpacker& state) override { now_ = state.take<std::int64_t>(); }
  void observe(std::span<double> draw) const override {
    draw[0] = now_ < 5 ? static_cast<double>(now_) : last_;
    draw[1] = 2 * draw[0];
  }
  bool warming_up() const override { return now_ < warm_up_; }

 private:
  double last_;
  int warm_up_;
  std::int64_t now_ = 0;
};

WalkerSource counting(double last = 5, int warm_up = 0) {
  WalkerSource source{[=](ChainName) { return std::make_unique<Counting>(last, warm_up); }, true};
  source.quantities = {"number", "double"};
  source.report_every = 2;
  source.keep_draws = true;
  return source;
}

WalkerSource sums(int too_many = 0) {
  return {[too_many](ChainName) { return std::make_unique<Sum>(too_many); }, true};
}

LiveChain executed(const WalkerSource& source, int number, int items) {
  LiveChain chain(source, {number, 1});
  Team team;
  for (int i = 0; i < items; ++i) chain.execute(0, team);
  return chain;
}

TEST(LiveChain, GoesOnFromItsState) {
  const WalkerSource source = sums();
  const LiveChain whole = executed(source, 3, 7);
  const LiveChain half = executed(source, 3, 4);
  LiveChain rest(source, {3, 1});
  rest.unpack(half.packed());
  Team team;
  for (int i = 0; i < 3; ++i) rest.execute(0, team);
  EXPECT_EQ(rest.end(), whole.end());
  EXPECT_EQ(rest.packed(), whole.packed());
  EXPECT_EQ(whole.end().items, 7);
  EXPECT_EQ(number_of(whole.packed()), 3);
}

TEST(LiveChain, ComesToSomethingElseWithOtherItems) {
  const WalkerSource source = sums();
  EXPECT_NE(executed(source, 3, 7).end().hash, executed(source, 3, 6).end().hash);
  EXPECT_NE(executed(source, 3, 7).end().hash, executed(source, 4, 7).end().hash);
}

TEST(LiveChain, ReportsWhatWasObservedSinceItsReportBefore) {
  const WalkerSource source = counting();
  LiveChain chain = executed(source, 2, 2);
  EXPECT_EQ(chain.report().quantities[0], (Moments{2, 0.5, 0.5}));
  Team team;
  for (int i = 0; i < 3; ++i) chain.execute(0, team);
  const ChainReport report = chain.report();
  EXPECT_EQ(report.number, 2);
  EXPECT_EQ(report.items, 5);
  EXPECT_EQ(report.quantities, (std::vector<Moments>{{3, 3, 2}, {3, 6, 8}}));
  EXPECT_EQ(report.draws, (std::vector<double>{2, 4, 3, 6, 4, 8}));
  EXPECT_EQ(chain.report().samples(), 0);
}

TEST(LiveChain, ObservesEveryFewItemsAndNotInItsWarmUp) {
  WalkerSource source = counting(5, 3);
  EXPECT_EQ(executed(source, 0, 5).report().draws, (std::vector<double>{3, 6, 4, 8}));
  source.thin = 2;  // items 1, 3, 5, …; item 1 belongs to the warm-up
  EXPECT_EQ(executed(source, 0, 6).report().draws, (std::vector<double>{3, 6, 5, 10}));
  source.keep_draws = false;
  EXPECT_TRUE(executed(source, 0, 6).report().draws.empty());
  EXPECT_EQ(executed(source, 0, 6).report().quantities[1], (Moments{2, 8, 8}));
  source.report_every = 0;
  EXPECT_EQ(executed(source, 0, 6).report().samples(), 0);
}

TEST(LiveChain, TakesWhatItObservedAlong) {
  const WalkerSource source = counting();
  LiveChain whole = executed(source, 1, 5);
  LiveChain rest(source, {1, 1});
  rest.unpack(executed(source, 1, 3).packed());
  Team team;
  for (int i = 0; i < 2; ++i) rest.execute(0, team);
  EXPECT_EQ(rest.report(), whole.report());
}

TEST(LiveChain, RefusesADrawThatIsNoFiniteNumber) {
  for (const auto& [value, text] :
       {std::pair(std::nan(""), "number is nan"), std::pair(HUGE_VAL, "number is inf"),
        std::pair(1e200, "too large")}) {
    EXPECT_THAT([&] { executed(counting(value), 2, 6); },
                ThrowsMessage<std::runtime_error>(
                    testing::AllOf(HasSubstr("chain 2, item 5: "), HasSubstr(text))));
  }
}

/// Computes an invalid log-density in its third item.
class Undefined final : public Walker {
 public:
  explicit Undefined(double log_density) : log_density_(log_density) {}
  void execute(const Item& item, Team&) override {
    if (item.number == 2) FixedPoint::of(log_density_);
  }
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}

 private:
  double log_density_;
};

TEST(LiveChain, NamesChainAndItemOfAnErrorOfItsWalker) {
  for (const double value : {std::nan(""), HUGE_VAL, 1e19}) {
    const WalkerSource source{[=](ChainName) { return std::make_unique<Undefined>(value); }, true};
    EXPECT_THAT([&] { executed(source, 4, 5); },
                ThrowsMessage<std::runtime_error>(testing::AllOf(
                    HasSubstr("chain 4, item 2: "), HasSubstr(std::isnan(value) ? "nan" : "is "))));
    try {
      executed(source, 4, 5);
    } catch (const std::exception& error) {
      EXPECT_THROW(std::rethrow_if_nested(error), std::range_error);
    }
  }
}

TEST(LiveChain, RefusesWhatIsNotItsState) {
  const WalkerSource source = sums();
  LiveChain chain(source, {3, 1});
  EXPECT_THAT([&] { chain.unpack(executed(source, 4, 1).packed()); },
              ThrowsMessage<std::runtime_error>(StrEq("the state of chain 4 came to chain 3")));
  const State state = executed(source, 3, 1).packed();
  EXPECT_THAT([&] { chain.unpack(std::span(state).first(state.size() - 1)); },
              ThrowsMessage<std::runtime_error>(StrEq("a walker unpacks more than it packed")));
  EXPECT_THAT(
      [&] { chain.unpack(executed(sums(5), 3, 1).packed()); },
      ThrowsMessage<std::runtime_error>(StrEq("a walker packs 5 bytes more than it unpacks")));
}

TEST(ChainEnds, HaveOneHashInWhateverOrderTheyCome) {
  const ChainEnd one{0, 5, 77};
  const ChainEnd other{1, 6, 78};
  EXPECT_EQ(hash_of({one, other}), hash_of({other, one}));
  EXPECT_NE(hash_of({one, other}), hash_of({{1, 5, 77}, {0, 6, 78}}));
  EXPECT_NE(hash_of({one}), hash_of({{0, 6, 77}}));
  EXPECT_NE(hash_of({one}), hash_of({{0, 5, 78}}));
  EXPECT_EQ(hash_of({one}).size(), 16u);
}

class StateFilesTest : public testing::Test {
 protected:
  std::string file() const { return directory_.path("3.state"); }
  std::string text() const { return read_file(file()).value(); }
  void expect_refusal(const std::string& why) const {
    EXPECT_THAT([this] { files_.read(3); },
                testing::ThrowsMessage<UserError>(
                    testing::AllOf(testing::StartsWith(file() + ": "), HasSubstr(why))));
  }

  TestDirectory directory_;
  StateFiles files_{directory_.path(), "walkers of one kind"};
  State state_{std::byte{1}, std::byte{'\n'}, std::byte{0}, std::byte{255}};
};

TEST_F(StateFilesTest, GiveBackWhatWasWrittenLast) {
  EXPECT_FALSE(files_.read(3));
  files_.write(3, {7, false, {}});
  files_.write(3, {40, true, state_});
  files_.write(4, {41, false, state_});
  const auto saved = files_.read(3);
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->items, 40);
  EXPECT_TRUE(saved->done);
  EXPECT_EQ(saved->state, state_);
  EXPECT_FALSE(files_.read(4)->done);
  std::size_t number = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(directory_.path())) {
    ++number;
  }
  EXPECT_EQ(number, 2u);  // no temporary file is left
}

TEST_F(StateFilesTest, RefuseAFileOfWhichAnyByteIsWrong) {
  files_.write(3, {40, true, state_});
  const std::string right = text();
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    replace_file(file(), wrong);
    EXPECT_THROW(files_.read(3), UserError) << "byte " << i;
    replace_file(file(), right.substr(0, i));
    EXPECT_THROW(files_.read(3), UserError) << i << " bytes";
  }
  replace_file(file(), right + "x");
  expect_refusal("is damaged");
}

TEST_F(StateFilesTest, SayWhatIsWrongWithAFile) {
  replace_file(file(), "something else");
  expect_refusal("is not the state of a chain");
  StateFiles(directory_.path(), "walkers of another kind").write(3, {1, false, state_});
  expect_refusal("is a state of 'walkers of another kind', not of 'walkers of one kind'");
  files_.write(4, {1, false, state_});
  std::filesystem::rename(directory_.path("4.state"), file());
  expect_refusal("is the state of another chain");
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  expect_refusal("cannot be read");
}

TEST_F(StateFilesTest, KeepTheReportsUpToTheStateAndNoLaterOnes) {
  EXPECT_TRUE(files_.take_reports(3, 10).empty());
  std::vector<ChainReport> reports;
  for (const std::int64_t items : {4, 8, 12, 13}) {
    reports.push_back({3, items, 7, {{4, 0.1, 2}}, {0.1, 0.2, 0.3, 0.4}});
    files_.add(reports.back());
  }
  const std::string path = directory_.path("3.reports");
  replace_file(path, read_file(path).value() + "{\"number\": 3, \"it");  // incomplete last line
  const auto first = [&](std::size_t n) {
    return std::vector<ChainReport>(reports.begin(), reports.begin() + static_cast<long>(n));
  };
  EXPECT_EQ(files_.take_reports(3, 13), first(4));
  EXPECT_EQ(files_.take_reports(3, 12), first(3));
  EXPECT_EQ(files_.take_reports(3, 11), first(2));
  files_.add(reports[2]);
  EXPECT_EQ(files_.take_reports(3, 13), first(3));
  EXPECT_TRUE(files_.take_reports(3, 0).empty());
}

TEST_F(StateFilesTest, SayWhichChainsHaveNoState) {
  for (const int chain : {0, 3}) files_.write(chain, {1, false, state_});
  const std::vector<std::int64_t> items{5, 5, 5, 5, 0, 5};
  EXPECT_EQ(text_of(chains_without_state(items, files_)), "1-2 5");
}

TEST_F(StateFilesTest, GiveBackWhyAChainFailed) {
  EXPECT_FALSE(files_.failure(3));
  const ChainFailure failure{3, 20, "no solution: 1, 2"};
  files_.write(3, {8, false, state_});
  files_.write(failure);
  EXPECT_EQ(files_.failure(3), failure);
  EXPECT_EQ(files_.read(3)->items, 8);
  EXPECT_EQ(items_left(std::vector<std::int64_t>{5, 5, 5, 40, 5}, files_),
            (std::vector<std::int64_t>{5, 5, 5, 0, 5}));
  EXPECT_TRUE(chains_without_state(std::vector<std::int64_t>{0, 0, 0, 40}, files_).empty());
  const std::string path = directory_.path("3.failed");
  const std::string right = read_file(path).value();
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    replace_file(path, wrong);
    EXPECT_THROW(files_.failure(3), UserError) << "byte " << i;
    replace_file(path, right.substr(0, i));
    EXPECT_THROW(files_.failure(3), UserError) << i << " bytes";
  }
  StateFiles(directory_.path(), "walkers of another kind").write(failure);
  EXPECT_THROW(files_.failure(3), UserError);
}

TEST(StatesBeside, IsTheDirectoryOfTheTask) {
  EXPECT_EQ(states_beside("a/b.task.json"), "a/b.states");
  EXPECT_EQ(states_beside("a/b"), "a/b.states");
}

}  // namespace
}  // namespace regroup::chains_test
