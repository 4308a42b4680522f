// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/live_chain.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace regroup {
namespace {

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

}  // namespace
}  // namespace regroup
