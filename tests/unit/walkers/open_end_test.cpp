// SPDX-License-Identifier: BSD-3-Clause
//
// Walkers that say themselves when they are done.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tests/unit/walkers/threads.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;

constexpr ClusterModel small_gas{16, 0.45, 6, 1000, 50};
constexpr ClusterModel small_cluster{5, 0.8, 2.5, 0, 1};

/// Both kinds of walkers, as a chain of that number would begin with them.
std::unique_ptr<Walker> walker_of(const std::string& kind, int number) {
  const ChainName name{number, 3};
  if (kind == "nucleation") return std::make_unique<Nucleation>(small_gas, 0.3, 8, name);
  return std::make_unique<Trajectory>(small_cluster, Dynamics{1e-3, 20}, name);
}

State packed(const Walker& walker) {
  State state;
  Packer packer(state);
  walker.pack(packer);
  return state;
}

/// Items until it is done, and its state then.
std::pair<int, State> end_of(Walker& walker, Team& team, int most = 20000) {
  int items = 0;
  while (!walker.done() && items < most) {
    walker.execute({items, 0}, team);
    ++items;
  }
  return {items, packed(walker)};
}

class OpenEnd : public testing::TestWithParam<std::string> {};

TEST_P(OpenEnd, ComesWhenTheChainSaysSo) {
  std::set<int> lengths;
  for (int chain = 0; chain < 6; ++chain) {
    Team team;
    const auto walker = walker_of(GetParam(), chain);
    const int items = end_of(*walker, team).first;
    EXPECT_TRUE(walker->done());
    EXPECT_GT(items, 1);
    lengths.insert(items);
  }
  EXPECT_GT(lengths.size(), 3u);  // at random
}

TEST_P(OpenEnd, IsTheSameForEveryNumberOfMembers) {
  Team one;
  const auto alone = end_of(*walker_of(GetParam(), 1), one);
  for (const int members : {2, 3, 7}) {
    std::vector<std::pair<int, State>> ends(static_cast<std::size_t>(members));
    in_a_team(members, [&](Team& team) {
      ends[static_cast<std::size_t>(team.rank())] = end_of(*walker_of(GetParam(), 1), team);
    });
    for (const auto& end : ends) EXPECT_EQ(end, alone) << members << " members";
  }
}

TEST_P(OpenEnd, IsReachedFromAStateOnTheWay) {
  Team team;
  const auto walker = walker_of(GetParam(), 2);
  walker->execute({}, team);
  const State state = packed(*walker);
  const auto other = walker_of(GetParam(), 2);
  Unpacker unpacker(state);
  other->unpack(unpacker);
  EXPECT_EQ(unpacker.bytes_left(), 0u);
  EXPECT_EQ(end_of(*other, team), end_of(*walker, team));
  const State end = packed(*walker);
  const auto third = walker_of(GetParam(), 2);
  Unpacker at_the_end(end);
  third->unpack(at_the_end);
  EXPECT_TRUE(third->done());
}

INSTANTIATE_TEST_SUITE_P(Walkers, OpenEnd, testing::Values("nucleation", "trajectory"),
                         [](const auto& test) { return test.param; });

TEST(LargestCluster, IsThatOfAtomsThatHangTogether) {
  EXPECT_EQ(largest_cluster({{0, 0, 0}}), 1u);
  EXPECT_EQ(largest_cluster({{0, 0, 0}, {3, 0, 0}, {1.5, 0, 0}, {9, 0, 0}, {10, 0, 0}}), 3u);
  EXPECT_EQ(largest_cluster({{0, 0, 0}, {1.51, 0, 0}, {0, 1.51, 0}}), 1u);
}

TEST(Gas, KeepsItsAtomsApartAndInTheSphere) {
  const std::vector<Point> atoms = gas({40, 1, 4, 0, 1}, {0, 1});
  ASSERT_EQ(atoms.size(), 40u);
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    EXPECT_LE(distance2(atoms[a], {}), 16);
    for (std::size_t b = 0; b < a; ++b) EXPECT_GE(distance2(atoms[a], atoms[b]), 0.81);
  }
  EXPECT_NE(gas({40, 1, 4, 0, 1}, {1, 1}), atoms);
  EXPECT_THAT(
      [] {
        gas({40, 1, 1, 0, 1}, {0, 1});
      },
      testing::ThrowsMessage<std::invalid_argument>(HasSubstr("there is no room for 40")));
}

TEST(Nucleation, RefusesATargetThatItCannotReach) {
  Choice choice = with_fallbacks(*find_entry(walkers(), "nucleation"));
  choice.options.set("target_atoms", "33");
  EXPECT_THAT([&] { make_nucleation(choice.options, {}); },
              testing::ThrowsMessage<std::invalid_argument>("33 of 32 atoms never hang together"));
}

/// The mean energy of two atoms that stay nearer than `most`, by quadrature over their distance.
double energy_of_two(double temperature, double most) {
  double energy = 0;
  double norm = 0;
  for (double r = 0.7; r < most; r += 1e-5) {
    const double u = pair_energy(r * r);
    const double weight = r * r * std::exp(-u / temperature);
    energy += weight * u;
    norm += weight;
  }
  return energy / norm;
}

// So cold that it hardly ever ends, and that where it would end does not matter.
TEST(Trajectory, HasTheEnergyOfTwoAtomsThatQuadratureTells) {
  const ClusterModel model{2, 0.1, 2, 0, 1};
  Trajectory trajectory(model, {2e-5, 100}, {0, 5});
  Team team;
  for (int item = 0; item < 200; ++item) trajectory.execute({}, team);
  std::vector<double> blocks;
  for (int block = 0; block < 20; ++block) {
    double sum = 0;
    for (int item = 0; item < 300; ++item) {
      trajectory.execute({}, team);
      sum += trajectory.energy().value();
    }
    blocks.push_back(sum / 300);
  }
  ASSERT_FALSE(trajectory.done());
  double mean = 0;
  for (const double block : blocks) mean += block / 20;
  double squares = 0;
  for (const double block : blocks) squares += (block - mean) * (block - mean);
  const double error = std::sqrt(squares / 20 / 19);
  EXPECT_LT(error, 0.01);
  EXPECT_NEAR(mean, energy_of_two(0.1, 2),
              4 * error + 0.005);  // and what the time step is wrong by
}

}  // namespace
}  // namespace regroup
