// SPDX-License-Identifier: BSD-3-Clause
//
// Chains that fail without affecting the other chains.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "regroup/engine.hpp"
#include "regroup/numbers.hpp"
#include "regroup/team_communicator.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::chain_failures_test {
namespace {

using testing::ElementsAre;

constexpr int failing = 1;                // number of the chain
constexpr std::int64_t failing_item = 4;  // number of its item

/// The way in which the chain fails.
enum class Fault {
  none,
  of_all,           // all members throw
  of_last,          // the last member throws while the others are in an operation of the team
  after_operation,  // the last member throws after the others have finished the item
  in_silence,       // like of_last, but the others catch the exception of the team
  other_type,       // the exception is not a std::exception
  in_done,
  in_joined,  // the last member throws while the others create a communicator
  in_unpack,  // at the first hand-over of the chain
  in_make,
};

class Sometimes final : public Walker {
 public:
  Sometimes(ChainName chain, Fault fault)
      : chain_(chain), fault_(chain.number == failing ? fault : Fault::none) {
    if (fault_ == Fault::in_make) throw std::runtime_error("broken");
  }

  void joined(Team& team) override {
    if (fault_ != Fault::in_joined) return;
    if (team.rank() == team.size() - 1) throw std::runtime_error("broken");
    communicator(team);
  }

  void execute(const Item& item, Team& team) override {
    const bool fails = item.number == failing_item;
    const bool last = team.rank() == team.size() - 1;
    if (fails && (fault_ == Fault::of_all || (fault_ == Fault::of_last && last))) {
      throw std::runtime_error("broken");
    }
    if (fails && fault_ == Fault::other_type && last) throw 1;
    if (fails && fault_ == Fault::in_silence && last) throw std::runtime_error("broken");
    try {
      const std::int64_t members = team.sum(1);
      if (members == team.size() && item.number == items_) ++items_;
    } catch (const std::runtime_error&) {
      if (fault_ != Fault::in_silence) throw;
    }
    if (fails && fault_ == Fault::after_operation && last) throw std::runtime_error("broken");
    drawn_ = standard_normal(random_bits(chain_.stream, Purpose::chain,
                                         static_cast<std::uint64_t>(chain_.number),
                                         static_cast<std::uint64_t>(item.number)));
  }

  bool done() const override {
    if (fault_ == Fault::in_done && items_ == failing_item + 1) throw std::runtime_error("broken");
    return false;
  }

  void pack(Packer& state) const override { state.put(items_); }
  void unpack(Unpacker& state) override {
    items_ = state.take<std::int64_t>();
    if (fault_ == Fault::in_unpack) throw std::runtime_error("broken");
  }
  void observe(std::span<double> draw) const override { draw[0] = drawn_; }
  std::uint64_t digest() const override { return std::bit_cast<std::uint64_t>(drawn_); }

 private:
  ChainName chain_;
  Fault fault_;
  std::int64_t items_ = 0;
  double drawn_ = 0;
};

/// Returns one more chain than ranks, in groups of two ranks; chains with odd numbers are short.
Ensemble ensemble_with(Fault fault) {
  Ensemble ensemble;
  ensemble.make = [fault](ChainName chain) { return std::make_unique<Sometimes>(chain, fault); };
  for (int chain = 0; chain <= world().ranks; ++chain) {
    ensemble.items.push_back(chain % 2 == 1 ? 20 : 60);
  }
  ensemble.group_size = std::min(2, world().ranks);
  ensemble.waiting = crowded_waiting();
  ensemble.chain_errors = "end_chain";
  return ensemble;
}

const std::vector<std::pair<Choice, std::string>>& balancers() {
  static const std::vector<std::pair<Choice, std::string>> all{
      {{"none", {}}, "range"},
      {{"asynchronous", {}}, "range"},
      {{"asynchronous", {{"finished_groups", "release"}}}, "create_group"},
      {{"collective", {{"exchange_interval", "3"}}}, "comm_split"},
      {{"spread", {}}, "create_group"}};
  return all;
}

/// One value per chain.
using Hashes = std::vector<std::uint64_t>;

struct Result {
  Outcome outcome;
  Hashes items;  ///< 1 + items of each chain that ended well, 0 for others; on all ranks
};

Result execute_all(Ensemble ensemble) {
  Result result;
  result.items.assign(ensemble.items.size(), 0);
  ensemble.at_end = [&](int number, const Walker& walker) {
    State state;
    Packer packer(state);
    walker.pack(packer);
    result.items[static_cast<std::size_t>(number)] =
        1 + static_cast<std::uint64_t>(Unpacker(state).take<std::int64_t>());
  };
  result.outcome = execute(ensemble, MPI_COMM_WORLD);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, result.items.data(), static_cast<int>(result.items.size()),
                 MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  complete(request);
  return result;
}

/// Returns the last hash that each chain reports.
std::map<int, std::uint64_t> last_hashes(const Outcome& outcome) {
  std::map<int, std::uint64_t> hashes;
  for (const ChainReport& report : outcome.reports) hashes[report.number] = report.hash;
  return hashes;
}

TEST(AChainThatFails, LeavesTheOthersAsTheyAreWithoutIt) {
  Ensemble whole = ensemble_with(Fault::none);
  whole.quantities = {"x"};
  whole.report_every = 5;
  const Outcome undisturbed = execute_all(whole).outcome;
  for (const Fault fault :
       {Fault::of_all, Fault::of_last, Fault::after_operation, Fault::in_silence, Fault::other_type,
        Fault::in_done, Fault::in_joined, Fault::in_make}) {
    SCOPED_TRACE(static_cast<int>(fault));
    std::string hash;
    for (const auto& [balancer, strategy] : balancers()) {
      SCOPED_TRACE(balancer.name + " " + strategy);
      Ensemble ensemble = ensemble_with(fault);
      ensemble.balancer = balancer;
      ensemble.strategy = strategy;
      ensemble.quantities = {"x"};
      ensemble.report_every = 5;
      const auto [outcome, items] = execute_all(ensemble);
      for (std::size_t i = 0; i < items.size(); ++i) {
        const auto expected = static_cast<std::uint64_t>(ensemble.items[i]) + 1;
        EXPECT_EQ(items[i], i == failing ? 0 : expected) << i;
      }
      EXPECT_EQ(outcome.communicators_left, 0);
      if (world().rank != 0) continue;
      const bool at_start = fault == Fault::in_joined || fault == Fault::in_make;
      const std::string reason =
          fault == Fault::other_type ? "an exception that is not a std::exception" : "broken";
      EXPECT_THAT(outcome.failures,
                  ElementsAre(ChainFailure{failing, at_start ? 0 : failing_item, reason}));
      EXPECT_TRUE(hash.empty() || hash == outcome.chains_hash);
      hash = outcome.chains_hash;
      auto hashes = last_hashes(outcome);
      for (const auto& [chain, last] : last_hashes(undisturbed)) {
        if (chain == failing) continue;
        EXPECT_EQ(hashes[chain], last) << chain;
      }
      EXPECT_FALSE(hashes.contains(failing));
    }
  }
}

TEST(AChainThatFails, MayDoSoWhereItGoes) {
  for (const auto& [balancer, strategy] : balancers()) {
    SCOPED_TRACE(balancer.name + " " + strategy);
    Ensemble ensemble = ensemble_with(Fault::in_unpack);
    ensemble.items.assign(ensemble.items.size(), 5);
    ensemble.items[failing] = 400;
    ensemble.balancer = balancer;
    ensemble.strategy = strategy;
    const auto [outcome, items] = execute_all(ensemble);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == failing) continue;
      EXPECT_EQ(items[i], 6u) << i;
    }
    if (world().rank != 0) continue;
    const bool moved = !outcome.failures.empty();
    EXPECT_EQ(items[failing], moved ? 0u : 401u);
    EXPECT_FALSE(moved && balancer.name == "none");
    for (const ChainFailure& failure : outcome.failures) {
      EXPECT_EQ(failure.number, failing);
      EXPECT_EQ(failure.reason, "broken");
    }
  }
}

TEST(AChainThatFails, CountsInNoFigureAndIsNotWaitedFor) {
  std::optional<Outcome> first;
  for (const auto& [balancer, strategy] : balancers()) {
    SCOPED_TRACE(balancer.name + " " + strategy);
    Ensemble ensemble = ensemble_with(Fault::of_last);
    ensemble.items.assign(static_cast<std::size_t>((world().ranks + 1) / 2 + 1), 100'000'000);
    // Each chain has a group, except the last one, which replaces the failing chain.
    ensemble.items.back() = 0;
    if (ensemble.items.size() < 3) return;
    ensemble.balancer = balancer;
    ensemble.strategy = strategy;
    ensemble.quantities = {"x"};
    ensemble.report_every = 2;
    ensemble.enough.effective_samples = 100;
    const Outcome outcome = execute_all(ensemble).outcome;
    if (world().rank != 0) continue;
    EXPECT_GT(outcome.enough_items, 20);
    EXPECT_EQ(outcome.failures.size(), 1u);
    const auto of_failed = std::ranges::count(outcome.reports, failing, &ChainReport::number);
    EXPECT_EQ(of_failed, failing_item / 2);
    const Convergence found =
        convergence_of(outcome.reports, ensemble.quantities, outcome.failures);
    EXPECT_EQ(found.chains, ensemble.items.size() - 2);
    EXPECT_TRUE(ensemble.enough.is_met_by(found));
    EXPECT_EQ(items_until_met(outcome.reports, ensemble.quantities, ensemble.report_every,
                              ensemble.enough, outcome.failures),
              outcome.enough_items);
    if (first) {
      EXPECT_EQ(outcome.enough_items, first->enough_items);
      EXPECT_EQ(outcome.reports, first->reports);
      EXPECT_EQ(outcome.chains_hash, first->chains_hash);
    } else {
      first = outcome;
    }
  }
}

/// A temporary directory shared by all ranks.
class CommonDirectory {
 public:
  CommonDirectory() {
    std::array<char, 64> name{"/tmp/regroup_failures_XXXXXX"};
    if (world().rank == 0) mkdtemp(name.data());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    complete(request);
    path_ = name.data();
  }
  CommonDirectory(const CommonDirectory&) = delete;
  CommonDirectory& operator=(const CommonDirectory&) = delete;
  ~CommonDirectory() {
    barrier();
    if (world().rank == 0) std::filesystem::remove_all(path_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(AChainThatFails, StaysFailedInAContinuedRunUnlessItsFileIsRemoved) {
  const CommonDirectory directory;
  const std::string undisturbed = execute_all(ensemble_with(Fault::none)).outcome.chains_hash;
  Ensemble ensemble = ensemble_with(Fault::of_last);
  ensemble.save_every = 3;
  ensemble.states = directory.path();
  const std::vector<std::int64_t> all = ensemble.items;
  for (std::int64_t& items : ensemble.items) items /= 2;
  const Outcome half = execute_all(ensemble).outcome;
  ensemble.items = all;
  ensemble.make = ensemble_with(Fault::none).make;
  const Outcome rest = execute_all(ensemble).outcome;
  if (world().rank == 0) {
    EXPECT_EQ(rest.failures, half.failures);
    EXPECT_THAT(rest.failures, ElementsAre(ChainFailure{failing, failing_item, "broken"}));
    std::int64_t halves = failing_item - all[failing] / 2;
    for (const std::int64_t items : all) halves += items / 2;
    EXPECT_EQ(rest.resumed_items, halves);
    std::filesystem::remove(directory.path() + "/1.failed");
  }
  barrier();
  const Outcome again = execute_all(ensemble).outcome;
  if (world().rank == 0) {
    EXPECT_EQ(again.failures.size(), 0u);
    EXPECT_EQ(again.chains_hash, undisturbed);
    std::ofstream(directory.path() + "/1.failed") << "what is this?\n";
  }
  barrier();
  EXPECT_THROW(execute(ensemble, MPI_COMM_WORLD), std::invalid_argument);
}

TEST(AnEnsemble, HasChainErrorsThatItKnows) {
  Ensemble ensemble = ensemble_with(Fault::none);
  ensemble.chain_errors = "ignore";
  EXPECT_THROW(execute(ensemble, MPI_COMM_WORLD), std::invalid_argument);
  ensemble.chain_errors = "end_chain";
  ensemble.exchanges = true;
  EXPECT_THROW(execute(ensemble, MPI_COMM_WORLD), std::invalid_argument);
}

}  // namespace
}  // namespace regroup::chain_failures_test
