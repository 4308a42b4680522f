// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as applications use it.
#include "jobs/ranks/ensemble.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;

/// Counts its items, together with the others.
class Counter final : public Walker {
 public:
  void execute(const Item& item, Team& team) override {
    const std::int64_t members = team.sum(1);
    if (members == team.size() && item.number == items_) ++items_;
  }
  void pack(Packer& state) const override { state.put(items_); }
  void unpack(Unpacker& state) override { items_ = state.take<std::int64_t>(); }

  std::int64_t items() const { return items_; }

 private:
  std::int64_t items_ = 0;
};

/// Two chains for each rank, of very different lengths; one has nothing to do.
Ensemble counters() {
  Ensemble ensemble;
  ensemble.make = [](ChainName) { return std::make_unique<Counter>(); };
  for (int chain = 0; chain < 2 * world().ranks; ++chain) ensemble.items.push_back(7 * chain);
  ensemble.waiting = crowded_waiting();
  return ensemble;
}

std::string refusal(const std::function<void(Ensemble&)>& change) {
  Ensemble ensemble = counters();
  change(ensemble);
  try {
    execute(ensemble, MPI_COMM_WORLD);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(AnEnsemble, ShowsEachWalkerOnceAtTheEndOfItsChain) {
  std::string hash;
  for (const Choice& balancer : {Choice{"none", {}}, Choice{"asynchronous", {}},
                                 Choice{"collective", {{"interval", "3"}}}, Choice{"spread", {}}}) {
    Ensemble ensemble = counters();
    ensemble.balancer = balancer;
    ensemble.strategy = balancer.name == "spread" ? "create_group" : "range";
    std::vector<std::int64_t> shown(ensemble.items.size(), -1);
    ensemble.at_end = [&](int number, const Walker& walker) {
      auto& place = shown[static_cast<std::size_t>(number)];
      EXPECT_EQ(place, -1);
      place = dynamic_cast<const Counter&>(walker).items();
    };
    const Outcome outcome = execute(ensemble, MPI_COMM_WORLD);
    for (std::int64_t& items : shown) items += 1;  // 0: not here
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, shown.data(), static_cast<int>(shown.size()), MPI_INT64_T, MPI_SUM,
                   MPI_COMM_WORLD, &request);
    complete(request);
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(shown[i], ensemble.items[i] + 1);
    if (world().rank != 0) continue;
    EXPECT_TRUE(hash.empty() || hash == outcome.chains_hash) << balancer.name;
    hash = outcome.chains_hash;
  }
}

TEST(AnEnsemble, ThatCannotBeExecutedIsRefusedWithWhatIsAllowed) {
  EXPECT_THAT(refusal([](Ensemble& e) { e.make = nullptr; }), HasSubstr("makes its walkers"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.items = {}; }), HasSubstr("needs the items"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.items[0] = -1; }), HasSubstr("allowed: 0 and more"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.group_size = 0; }), HasSubstr("integer from 1 to"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.waiting = "long"; }), HasSubstr("auto | wrapper"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"fair", {}};
              }),
              HasSubstr("unknown balancer 'fair'; allowed: none, collective"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"collective", {{"often", "1"}}};
              }),
              HasSubstr("has no option 'often'; allowed: interval"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"collective", {{"interval", "0"}}};
              }),
              HasSubstr("'0' is no value of interval; allowed: integer from 1"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.strategy = "telepathy"; }),
              HasSubstr("unknown strategy 'telepathy'; allowed: comm_create"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.strategy = "comm_split"; }), HasSubstr("would deadlock"));
  if (world().ranks < 2) return;
  EXPECT_THAT(refusal([](Ensemble& e) { e.items.resize(1); }), HasSubstr("too few"));
}

}  // namespace
}  // namespace regroup
