// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/walkers.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "regroup/numbers.hpp"
#include "regroup/walker.hpp"
#include "tests/unit/thread_team.hpp"

namespace regroup::walkers_test {
namespace {

using testing::HasSubstr;

// Five states in a row with given probabilities; each step proposes the left or the right
// neighbour. Every 20th state is counted, so that the samples are nearly independent.
TEST(Metropolis, KeepsTheDetailedBalanceOfFiveStates) {
  constexpr std::array weights{1.0, 4.0, 2.0, 0.5, 2.5};
  constexpr int samples = 50000;
  std::array<int, 5> counts{};
  std::array<std::array<int, 5>, 5> steps{};
  int state = 0;
  std::uint64_t count = 0;
  for (int sample = 0; sample < samples; ++sample) {
    for (int i = 0; i < 20; ++i) {
      const int before = state;
      const bool up = (random_bits(4, Purpose::chain, 0, count++) >> 63) != 0;
      const int proposed = state + (up ? 1 : -1);
      const std::uint64_t bits = random_bits(4, Purpose::chain, 0, count++);
      if (proposed >= 0 && proposed < 5) {
        const auto weight = [&](int s) { return weights[static_cast<std::size_t>(s)]; };
        if (metropolis_accepts(std::log(weight(proposed) / weight(state)), bits)) state = proposed;
      }
      ++steps[static_cast<std::size_t>(before)][static_cast<std::size_t>(state)];
    }
    ++counts[static_cast<std::size_t>(state)];
  }
  double chi2 = 0;
  for (std::size_t s = 0; s < 5; ++s) {
    const double expected = samples * weights[s] / 10;
    chi2 += (counts[s] - expected) * (counts[s] - expected) / expected;
  }
  EXPECT_LT(chi2, 18.5);  // four degrees of freedom: exceeded with a probability of 0.1 %
  // Between two neighbours, the numbers of steps in both directions differ by at most one.
  for (std::size_t s = 1; s < 5; ++s) EXPECT_LE(std::abs(steps[s - 1][s] - steps[s][s - 1]), 1);
}

TEST(Metropolis, TakesEveryStepThatIsNotLessProbable) {
  EXPECT_TRUE(metropolis_accepts(0, ~std::uint64_t{0}));
  EXPECT_TRUE(metropolis_accepts(1e300, ~std::uint64_t{0}));
  EXPECT_FALSE(metropolis_accepts(-1e300, std::uint64_t{1} << 11));
  EXPECT_TRUE(metropolis_accepts(std::log(0.5) + 1e-9, (std::uint64_t{1} << 63) - 1));
  EXPECT_FALSE(metropolis_accepts(std::log(0.5) - 1e-9, std::uint64_t{1} << 63));
}

TEST(Metropolis, NeverTakesAnImpossibleStepAndRefusesARatioThatHasNoMeaning) {
  EXPECT_FALSE(metropolis_accepts(-HUGE_VAL, 0));
  for (const double wrong : {HUGE_VAL, std::nan(""), -std::nan("")}) {
    EXPECT_THAT([&] { metropolis_accepts(wrong, 0); },
                testing::ThrowsMessage<std::range_error>(
                    HasSubstr(std::isnan(wrong) ? "densities is nan" : "densities is inf")));
  }
}

// Walkers that decide when they are done.

constexpr ClusterModel small_gas{16, 0.45, 6, 1000, 50};
constexpr ClusterModel small_cluster{5, 0.8, 2.5, 0, 1};

/// Returns a walker of the given kind, as chain `number` starts with it.
std::unique_ptr<Walker> walker_of(const std::string& kind, int number) {
  const ChainName name{number, 3};
  if (kind == "nucleation") return std::make_unique<Nucleation>(small_gas, 0.3, 8, name);
  return std::make_unique<Trajectory>(small_cluster, Dynamics{1e-3, 20}, name);
}

/// Returns the number of items until `walker` is done, and its final state.
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
  EXPECT_GT(lengths.size(), 3u);  // lengths are random
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

/// Returns the mean energy of two atoms closer than `most`, by quadrature over their distance.
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

TEST(Trajectory, RefusesForcesBeyondAllNumbers) {
  for (const double distance : {0.02, 0.0}) {
    State state;
    Packer packer(state);
    put_atoms(packer, {{0, 0, 0}, {distance, 0, 0}});
    packer.put(FixedPoint());
    packer.put(std::int64_t{0});
    Trajectory trajectory({2, 0.1, 2, 0, 1}, {2e-5, 1}, {});
    Unpacker unpacker(state);
    trajectory.unpack(unpacker);
    Team team;
    EXPECT_THROW(trajectory.execute({}, team), std::range_error) << distance;
  }
}

// At this temperature, the trajectory hardly ever ends, so its end condition does not matter.
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
  const Estimate found = estimate(blocks);
  EXPECT_LT(found.error, 0.01);
  // 0.005 is the error due to the time step.
  EXPECT_NEAR(found.mean, energy_of_two(0.1, 2), 4 * found.error + 0.005);
}

}  // namespace
}  // namespace regroup::walkers_test
