// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as used by applications.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernel/clocks/sleep.hpp"
#include "regroup/engine.hpp"
#include "regroup/numbers.hpp"
#include "regroup/team_communicator.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::ensemble_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Counts the items in which all members take part.
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

/// A temporary directory shared by all ranks.
struct TemporaryDirectory {
  TemporaryDirectory() {
    std::array<char, 64> name{"/tmp/regroup_ensemble_XXXXXX"};
    if (world().rank == 0) mkdtemp(name.data());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    complete(request);
    path = name.data();
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    barrier();
    if (world().rank == 0) std::filesystem::remove_all(path);
  }
  std::string path;
};

/// Returns two chains per rank, of very different lengths; the first chain has no items.
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
  for (const Choice& balancer :
       {Choice{"none", {}}, Choice{"asynchronous", {}},
        Choice{"collective", {{"exchange_interval", "3"}}}, Choice{"spread", {}}}) {
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
    for (std::int64_t& items : shown) items += 1;  // 0: not shown on this rank
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

TEST(AnEnsemble, IsExecutedRoundAfterRoundOnOneCommunicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  std::string hash;
  for (int round = 0; round < 20; ++round) {
    Ensemble ensemble = counters();
    if (round % 2 == 1) ensemble.balancer = {"asynchronous", {}};
    const Outcome outcome = execute(ensemble, copy);
    if (world().rank != 0) continue;
    EXPECT_EQ(outcome.communicators_left, 0);
    EXPECT_GE(outcome.lives.front().formed_s, 0);
    if (round == 0) hash = outcome.chains_hash;
    EXPECT_EQ(outcome.chains_hash, hash) << round;
  }
  MPI_Comm_free(&copy);
}

/// Takes 10 ms to be destroyed, except on rank 0, which begins the next round meanwhile.
class Lingerer final : public Walker {
 public:
  ~Lingerer() override {
    if (world().rank != 0) sleep_for(0.01);
  }
  void execute(const Item&, Team&) override {}
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}
};

TEST(AnEnsemble, GetsNoMessageOfTheNextRound) {
  for (int round = 0; round < 10; ++round) {
    Ensemble ensemble = counters();
    ensemble.make = [](ChainName) { return std::make_unique<Lingerer>(); };
    ensemble.items.assign(ensemble.items.size(), 5);
    ensemble.balancer = {"asynchronous", {}};
    const Outcome outcome = execute(ensemble, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    EXPECT_EQ(outcome.communicators_left, 0);
  }
}

TEST(AnEnsemble, ContinuesFromTheStatesOfAnEndedOne) {
  const TemporaryDirectory directory;
  const std::string whole = execute(counters(), MPI_COMM_WORLD).chains_hash;
  Ensemble ensemble = counters();
  ensemble.save_every = 3;
  ensemble.states = directory.path;
  const std::vector<std::int64_t> all = ensemble.items;
  for (std::int64_t& items : ensemble.items) items /= 2;
  execute(ensemble, MPI_COMM_WORLD);
  ensemble.items = all;
  const Outcome rest = execute(ensemble, MPI_COMM_WORLD);
  if (world().rank == 0) {
    EXPECT_EQ(rest.chains_hash, whole);
    std::int64_t halves = 0;
    for (const std::int64_t items : all) halves += items / 2;
    EXPECT_EQ(rest.resumed_items, halves);
  }
  ensemble.seed = 2;
  EXPECT_THROW(execute(ensemble, MPI_COMM_WORLD), std::invalid_argument) << "of other chains";
  ensemble.states = "";
  EXPECT_THROW(execute(ensemble, MPI_COMM_WORLD), std::invalid_argument);
}

/// Counts its items on a communicator of its own, as a parallel library would.
class LibraryUser final : public Walker {
 public:
  ~LibraryUser() override { EXPECT_EQ(comm_, MPI_COMM_NULL); }
  void joined(Team& team) override {
    ASSERT_EQ(comm_, MPI_COMM_NULL);
    comm_ = communicator(team);
    EXPECT_EQ(comm_, communicator(team));
    int rank = -1;
    int size = -1;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &size);
    EXPECT_EQ(rank, team.rank());
    EXPECT_EQ(size, team.size());
    joined_ += 1;
  }
  void leaving(Team& team) override {
    EXPECT_EQ(comm_, communicator(team));
    EXPECT_EQ(sum(1), team.size());
    comm_ = MPI_COMM_NULL;
  }
  void execute(const Item&, Team& team) override { items_ += sum(1) == team.size() ? 1 : 0; }
  void pack(Packer& state) const override { state.put(items_); }
  void unpack(Unpacker& state) override { items_ = state.take<std::int64_t>(); }

  std::int64_t items() const { return items_; }
  static int joined_;

 private:
  int sum(int value) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm_, &request);
    complete(request);
    return value;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::int64_t items_ = 0;
};
int LibraryUser::joined_ = 0;

TEST(AnEnsemble, GivesEachGroupACommunicatorForALibrary) {
  for (const auto& [balancer, strategy] : std::initializer_list<std::pair<Choice, std::string>>{
           {{"none", {}}, "range"},
           {{"asynchronous", {}}, "range"},
           {{"asynchronous", {{"finished_groups", "release"}}}, "create_group"},
           {{"collective", {{"exchange_interval", "3"}}}, "comm_split"},
           {{"spread", {}}, "create_group"}}) {
    SCOPED_TRACE(balancer.name + " " + strategy);
    Ensemble ensemble = counters();
    ensemble.balancer = balancer;
    ensemble.strategy = strategy;
    ensemble.reproducible = false;
    ensemble.make = [](ChainName) { return std::make_unique<LibraryUser>(); };
    ensemble.at_end = [&](int number, const Walker& walker) {
      EXPECT_EQ(dynamic_cast<const LibraryUser&>(walker).items(),
                ensemble.items[static_cast<std::size_t>(number)]);
    };
    LibraryUser::joined_ = 0;
    const Outcome outcome = execute(ensemble, MPI_COMM_WORLD);
    EXPECT_GE(LibraryUser::joined_, 1);
    EXPECT_EQ(outcome.chains_hash, "");
    if (world().rank != 0) continue;
    EXPECT_GE(outcome.walker_communicators, 1);
    EXPECT_GT(outcome.walker_communicators_s, 0);
  }
}

TEST(ATeam, HasNoCommunicatorWhereThereAreNoProcesses) {
  Team alone;
  EXPECT_THROW(communicator(alone), std::runtime_error);
}

/// Observes a random number in each item; at the start, the means of most chains differ widely.
class Drawing final : public Walker {
 public:
  explicit Drawing(ChainName chain) : chain_(chain) {}
  void execute(const Item& item, Team&) override {
    const auto number = static_cast<std::uint64_t>(chain_.number);
    const double drawn = standard_normal(random_bits(chain_.stream, Purpose::chain, number,
                                                     static_cast<std::uint64_t>(item.number)));
    observed_ = drawn + 4.0 * (chain_.number % 4) / static_cast<double>(1 + item.number);
  }
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}
  void observe(std::span<double> draw) const override { draw[0] = observed_; }
  std::uint64_t digest() const override { return std::bit_cast<std::uint64_t>(observed_); }

 private:
  ChainName chain_;
  double observed_ = 0;
};

TEST(AnEnsemble, EndsWhenItsChainsHaveObservedEnough) {
  std::optional<Outcome> first;
  for (const Choice& balancer :
       {Choice{"none", {}}, Choice{"asynchronous", {}},
        Choice{"collective", {{"exchange_interval", "3"}}}, Choice{"spread", {}}}) {
    Ensemble ensemble;
    ensemble.make = [](ChainName chain) { return std::make_unique<Drawing>(chain); };
    // One chain per group: a chain that waits for another would report after 10^8 items.
    ensemble.items.assign(static_cast<std::size_t>((world().ranks + 1) / 2), 100'000'000);
    if (ensemble.items.size() > 1) ensemble.items.front() = 305;
    ensemble.group_size = 2;
    ensemble.balancer = balancer;
    ensemble.strategy = balancer.name == "spread" ? "create_group" : "range";
    ensemble.waiting = crowded_waiting();
    ensemble.quantities = {"x"};
    ensemble.report_every = 10;
    ensemble.enough.effective_samples = 240;
    bool shown = false;
    ensemble.on_reports = [&](std::int64_t items, const Convergence& found) {
      shown = true;
      EXPECT_EQ(items % 10, 0);
      EXPECT_EQ(found.quantities.size(), 1u);
    };
    const Outcome outcome = execute(ensemble, MPI_COMM_WORLD);
    EXPECT_EQ(shown, world().rank == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    int left_over = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &left_over, MPI_STATUS_IGNORE);
    EXPECT_FALSE(left_over) << balancer.name;
    if (world().rank != 0) continue;
    EXPECT_GT(outcome.enough_items, 20);
    EXPECT_EQ(outcome.enough_items % 10, 0);
    for (const ChainReport& report : outcome.reports) {
      EXPECT_LE(report.items, outcome.enough_items);
    }
    EXPECT_TRUE(ensemble.enough.is_met_by(convergence_of(outcome.reports, ensemble.quantities)));
    if (first) {
      EXPECT_EQ(outcome.enough_items, first->enough_items) << balancer.name;
      EXPECT_EQ(outcome.reports, first->reports) << balancer.name;
      EXPECT_EQ(outcome.chains_hash, first->chains_hash) << balancer.name;
    } else {
      first = outcome;
    }
  }
}

/// Sums numbers of very different magnitudes in each item; the members share the terms.
class Summing final : public Walker {
 public:
  void execute(const Item& item, Team& team) override {
    std::array<FixedPoint, 3> sums;
    for (std::int64_t term = team.rank(); term < 40; term += team.size()) {
      const auto number = static_cast<std::uint64_t>(100 * item.number + term);
      const double drawn = unit_interval(random_bits(1, Purpose::chain, 0, number)) - 0.5;
      sums[0] += FixedPoint::of(std::ldexp(drawn, static_cast<int>(term % 6) * 20 - 50));
      sums[1] -= FixedPoint::of(drawn);
      if (term == item.number % 40) sums[2] = FixedPoint::minus_infinity();
    }
    team.sum(sums);
    EXPECT_EQ(sums[2], FixedPoint::minus_infinity());
    all_ = hash_combined(hash_combined(all_, sums[0].digest()), sums[1].digest());
  }
  void pack(Packer& state) const override { state.put(all_); }
  void unpack(Unpacker& state) override { all_ = state.take<std::uint64_t>(); }
  std::uint64_t all() const { return all_; }

 private:
  std::uint64_t all_ = 0;
};

TEST(AnEnsemble, HasTheSameSumsHoweverManyMembersFormThem) {
  Summing alone;
  Team team_of_one;
  for (std::int64_t item = 0; item < 30; ++item) alone.execute({item, 0}, team_of_one);
  for (const std::string strategy : {"range", "create_group"}) {
    for (const int members : {1, 2, world().ranks}) {
      Ensemble ensemble;
      ensemble.make = [](ChainName) { return std::make_unique<Summing>(); };
      ensemble.group_size = std::min(members, world().ranks);
      ensemble.items.assign(static_cast<std::size_t>(world().ranks), 30);
      ensemble.balancer = {"asynchronous", {}};
      ensemble.strategy = strategy;
      ensemble.waiting = crowded_waiting();
      ensemble.at_end = [&](int number, const Walker& walker) {
        EXPECT_EQ(dynamic_cast<const Summing&>(walker).all(), alone.all()) << "chain " << number;
      };
      execute(ensemble, MPI_COMM_WORLD);
    }
  }
}

/// Proposes a state of density 0 in each item, and in item 3 of chain 1 also a state whose
/// log-density is the sum of `log_density` over the members.
class Broken final : public Walker {
 public:
  Broken(ChainName chain, double log_density) : chain_(chain), log_density_(log_density) {}
  void execute(const Item& item, Team& team) override {
    EXPECT_FALSE(metropolis_accepts(team.sum(FixedPoint::of(-HUGE_VAL)).value(), 0));
    if (chain_.number == 1 && item.number == 3) team.sum(FixedPoint::of(log_density_));
  }
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}

 private:
  ChainName chain_;
  double log_density_;
};

// All ranks are in one group, so that none waits for a group that has failed.
TEST(AnEnsemble, EndsWithChainItemAndValueWhereADensityIsNone) {
  for (const auto& [log_density, value] : std::initializer_list<std::pair<double, std::string>>{
           {std::nan(""), "is nan"}, {HUGE_VAL, "is inf"}, {1e19, "is 1e+19"}, {-4e18, ""}}) {
    Ensemble ensemble;
    ensemble.make = [density = log_density](ChainName chain) {
      return std::make_unique<Broken>(chain, density);
    };
    ensemble.items = {5, 5};
    ensemble.group_size = world().ranks;
    ensemble.balancer = {"none", {}};
    ensemble.waiting = crowded_waiting();
    std::string message;
    try {
      execute(ensemble, MPI_COMM_WORLD);
    } catch (const std::exception& error) {
      message = error.what();
    }
    if (value.empty() && world().ranks == 1) {
      EXPECT_EQ(message, "");
      continue;
    }
    EXPECT_THAT(message, StartsWith("chain 1, item 3: "));
    EXPECT_THAT(message, HasSubstr(value.empty() ? "a sum over members is -" : value));
  }
}

TEST(AnEnsemble, ThatCannotBeExecutedIsRefusedWithWhatIsAllowed) {
  EXPECT_THAT(refusal([](Ensemble& e) { e.make = nullptr; }), HasSubstr("makes its walkers"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.items = {}; }), HasSubstr("needs the items"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.items[0] = -1; }), HasSubstr("allowed: at least 0"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.enough.r_hat = 1.1; }), HasSubstr("report_every"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.report_every = 1; }), HasSubstr("quantities"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.thin = 0; }), HasSubstr("allowed: from 1 on"));
  for (const double r_hat : {0.5, -1.0, std::nan("")}) {
    EXPECT_THAT(refusal([=](Ensemble& e) {
                  e.quantities = {"x"};
                  e.report_every = 1;
                  e.enough.r_hat = r_hat;
                }),
                HasSubstr("allowed: 0, or at least 1"));
  }
  EXPECT_THAT(refusal([](Ensemble& e) { e.report_every = -1; }), HasSubstr("every -1 items"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.group_size = 0; }), HasSubstr("integer from 1 to"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.waiting = "long"; }), HasSubstr("auto | wrapper"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"fair", {}};
              }),
              HasSubstr("'fair'; allowed: none | collective"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"collective", {{"often", "1"}}};
              }),
              HasSubstr("has no option 'often'; allowed: exchange_interval"));
  EXPECT_THAT(refusal([](Ensemble& e) {
                e.balancer = {"collective", {{"exchange_interval", "0"}}};
              }),
              HasSubstr("'0' is not a valid value of exchange_interval; allowed: integer from 1"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.strategy = "telepathy"; }),
              HasSubstr("'telepathy'; allowed: comm_create"));
  EXPECT_THAT(refusal([](Ensemble& e) { e.strategy = "comm_split"; }), HasSubstr("would deadlock"));
  if (world().ranks < 2) return;
  EXPECT_THAT(refusal([](Ensemble& e) { e.items.resize(1); }), HasSubstr("too few"));
}

}  // namespace
}  // namespace regroup::ensemble_test
