// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "kernel/chains/live_chain.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::chains_test {
namespace {

using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;

/// Adds up numbers; packs so many bytes more than it unpacks.
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

/// Observes its items' numbers up to one that is none.
class Failing final : public Walker {
 public:
  void execute(const Item& item, Team&) override {
    observed_ = {};
    observed_.sample(item.number < 5 ? static_cast<double>(item.number) : std::log(0.0));
  }
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}
  Observed observed() const override { return observed_; }

 private:
  Observed observed_;
};

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
  WalkerSource source{[](ChainName) { return std::make_unique<Failing>(); }, true};
  source.report_every = 2;
  LiveChain chain = executed(source, 2, 2);
  EXPECT_THAT(chain.report().mean, 0.5);
  Team team;
  for (int i = 0; i < 3; ++i) chain.execute(0, team);
  const ChainReport report = chain.report();
  EXPECT_EQ(report.items, 5);
  EXPECT_EQ(report.samples, 3);
  EXPECT_EQ(report.mean, 3);
  EXPECT_EQ(chain.report().samples, 0);
  chain.execute(0, team);
  EXPECT_THAT([&] { chain.report(); },
              ThrowsMessage<std::runtime_error>(
                  StrEq("chain 2 observed what is no finite number in its items up to 6")));
}

/// Its third item comes to a density without a meaning.
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
  EXPECT_EQ(number, 2u);  // and nothing that was on the way there
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
  expect_refusal("is no state of a chain");
  StateFiles(directory_.path(), "walkers of another kind").write(3, {1, false, state_});
  expect_refusal("is a state of 'walkers of another kind', and not of 'walkers of one kind'");
  files_.write(4, {1, false, state_});
  std::filesystem::rename(directory_.path("4.state"), file());
  expect_refusal("is the state of another chain");
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  expect_refusal("cannot be read");
}

TEST(StatesBeside, IsTheDirectoryOfTheTask) {
  EXPECT_EQ(states_beside("a/b.task.json"), "a/b.states");
  EXPECT_EQ(states_beside("a/b"), "a/b.states");
}

}  // namespace
}  // namespace regroup::chains_test
