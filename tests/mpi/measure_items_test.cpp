// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>

#include "tests/mpi/measured.hpp"
#include "walkers/walkers.hpp"

namespace regroup::measure_items_test {
namespace {

Measurement items_of(const WalkerEntry& walker, int group_size,
                     std::string communicator = "range") {
  Measurement measurement = measurement_of("items", {{"group_size", std::to_string(group_size)},
                                                     {"communicator", std::move(communicator)},
                                                     {"items_per_sample", "2"},
                                                     {"samples", "6"}});
  measurement.walker = {&walker, with_fallbacks(walker).options};
  measurement.item_ms = 1;
  return measurement;
}

const WalkerEntry& walker_named(std::string_view name) { return *find_entry(walkers(), name); }

TEST(MeasureItems, FindsTheFiguresOfEveryWalkerForGroupsOfAnySize) {
  for (const WalkerEntry& walker : walkers()) {
    for (int members = 1; members <= world().ranks; ++members) {
      expect_times(items_of(walker, members));
    }
  }
}

TEST(MeasureItems, TakesEveryKindOfCommunicatorWhoeverMustTakePart) {
  const int half = (world().ranks + 1) / 2;
  for (const char* communicator : {"range", "create_group", "comm_split"}) {
    expect_times(items_of(walker_named("lennard_jones"), half, communicator));
  }
}

TEST(MeasureItems, OfAWalkerThatSleepsTakeItsShareOfTheTimeAtLeast) {
  const Outcome outcome = measure(items_of(walker_named("sleep"), world().ranks));
  if (world().rank != 0) return;
  EXPECT_GE(outcome.figures.at("time_min_s"), 0.001 / world().ranks);
}

/// A chain whose state differs between the members.
class Wrong final : public Walker {
 public:
  void execute(const Item&, Team& team) override { state_ += team.rank(); }
  void pack(Packer& state) const override { state.put(state_); }
  void unpack(Unpacker& state) override { state_ = state.take<int>(); }

 private:
  int state_ = 0;
};

TEST(MeasureItems, FindsMembersWhoseChainsAreNotTheSame) {
  WalkerEntry walker = walker_named("sleep");
  walker.make = [](const Options&, ChainName) -> std::unique_ptr<Walker> {
    return std::make_unique<Wrong>();
  };
  const Measurement measurement = items_of(walker, world().ranks);
  bool found = false;
  try {
    measure(measurement);
  } catch (const std::runtime_error&) {
    found = true;
  }
  EXPECT_EQ(found, world().ranks > 1);
}

}  // namespace
}  // namespace regroup::measure_items_test
