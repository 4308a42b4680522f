// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/lennard_jones.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "regroup/numbers.hpp"
#include "tests/unit/text_file.hpp"
#include "tests/unit/thread_team.hpp"
#include "walkers/walkers.hpp"
#include "walkers/xyz.hpp"

namespace regroup::lennard_jones_test {
namespace {

using testing::HasSubstr;

constexpr double usual_step = 0.1;

ClusterModel model_of(std::size_t atoms, double temperature, std::int64_t moves = 1) {
  return {atoms, temperature, 1.5 * std::cbrt(static_cast<double>(atoms)), 2000 / moves, moves};
}

/// Returns the mean energies of `blocks` consecutive parts of a chain, of `items` items each.
std::vector<double> means_of(const ClusterModel& model, ChainName name, int blocks, int items) {
  Cluster cluster(model, usual_step, name);
  Team team;
  for (std::int64_t item = 0; item < 20 * model.burn_in; ++item) {
    cluster.execute({}, team);
  }
  std::vector<double> means;
  for (int block = 0; block < blocks; ++block) {
    double sum = 0;
    for (int item = 0; item < items; ++item) {
      cluster.execute({}, team);
      sum += cluster.energy().value();
    }
    means.push_back(sum / items);
  }
  return means;
}

/// Returns the mean energy of two atoms in a sphere of radius R by quadrature over their distance
/// r, whose density without forces is r^2 (1 - 3 r / (4 R) + r^3 / (16 R^3)).
double energy_of_two(double temperature, double radius) {
  double energy = 0;
  double norm = 0;
  constexpr int steps = 200000;
  for (int i = 0; i < steps; ++i) {
    const double r = 2 * radius * (i + 0.5) / steps;
    const double u = pair_energy(r * r);
    const double ratio = r / radius;
    const double density = r * r * (1 - 0.75 * ratio + ratio * ratio * ratio / 16);
    const double weight = density * std::exp(-u / temperature);
    if (weight == 0) continue;
    energy += weight * u;
    norm += weight;
  }
  return energy / norm;
}

TEST(LennardJones, HasTheEnergyOfTwoAtomsThatQuadratureTells) {
  for (const double temperature : {0.3, 0.5, 1.0}) {
    const ClusterModel model = model_of(2, temperature, 20);
    const Estimate found = estimate(means_of(model, {1, 7}, 40, 4000));
    EXPECT_NEAR(found.mean, energy_of_two(temperature, model.radius), 4 * found.error)
        << "temperature " << temperature << ", error " << found.error;
    EXPECT_LT(found.error, 0.01);
  }
}

TEST(LennardJones, KeepsTheEnergyThatItsAtomsHave) {
  Cluster cluster(model_of(13, 0.4, 1000), usual_step, {3, 1});
  Team team;
  for (int item = 0; item < 20; ++item) {
    cluster.execute({}, team);
    EXPECT_EQ(cluster.energy(), energy_of(cluster.atoms()));
  }
  EXPECT_GT(cluster.accepted(), 4000);
  double sum = 0;
  for (std::size_t a = 0; a < 13; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      sum += pair_energy(distance2(cluster.atoms()[a], cluster.atoms()[b]));
    }
  }
  EXPECT_NEAR(cluster.energy().value(), sum, 1e-12);
}

TEST(LennardJones, HasAtomsWithAHardCore) {
  const std::vector<Point> atoms{{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(binding_of(0, {0.95, 0, 0}, atoms, 0, 1), FixedPoint::minus_infinity());
  EXPECT_EQ(binding_of(0, {1, 0, 0}, atoms, 0, 1), FixedPoint::minus_infinity());
  EXPECT_EQ(binding_of(0, {0.95, 0, 0}, atoms, 0, 2), FixedPoint());  // a pair of the other member
  EXPECT_NEAR(binding_of(0, {0.8, 0, 0}, atoms, 0, 1).value(), -pair_energy(0.04), 1e-4);
  EXPECT_THROW(energy_of({{0, 0, 0}, {0.05, 0, 0}}), std::range_error);
}

// At a quarter of σ, the energy is 26 times the highest allowed temperature.
TEST(LennardJones, KeepsAtomsApartAtEveryTemperature) {
  Cluster cluster(model_of(2, 1e6), 1, {});
  Team team;
  double nearest2 = 100;
  for (int move = 0; move < 50'000; ++move) {
    cluster.execute({}, team);
    nearest2 = std::min(nearest2, distance2(cluster.atoms()[0], cluster.atoms()[1]));
  }
  EXPECT_GT(nearest2, 0.25 * 0.25);
  EXPECT_LT(nearest2, 0.6 * 0.6);
}

TEST(LennardJones, IsTheSameForEveryNumberOfMembers) {
  const ClusterModel model = model_of(13, 0.4, 300);
  Cluster alone(model, usual_step, {2, 5});
  Team team_of_one;
  for (int item = 0; item < 10; ++item) alone.execute({}, team_of_one);
  for (const int members : {2, 3, 5, 16}) {
    std::vector<State> states(static_cast<std::size_t>(members));
    in_a_team(members, [&](Team& team) {
      Cluster cluster(model, usual_step, {2, 5});
      for (int item = 0; item < 10; ++item) cluster.execute({}, team);
      states[static_cast<std::size_t>(team.rank())] = packed(cluster);
    });
    for (const State& state : states) EXPECT_EQ(state, packed(alone)) << members << " members";
  }
}

TEST(LennardJones, GoesOnFromItsState) {
  const ClusterModel model = model_of(13, 0.4, 77);
  Cluster cluster(model, usual_step, {2, 5});
  Team team;
  for (int item = 0; item < 30; ++item) cluster.execute({}, team);
  const State state = packed(cluster);
  Cluster other(model, usual_step, {2, 5});
  Unpacker unpacker(state);
  other.unpack(unpacker);
  EXPECT_EQ(unpacker.bytes_left(), 0u);
  for (int item = 0; item < 30; ++item) {
    cluster.execute({}, team);
    other.execute({}, team);
  }
  EXPECT_EQ(packed(other), packed(cluster));
}

TEST(LennardJones, RefusesTheStateOfAnotherCluster) {
  const State state = packed(Cluster(model_of(14, 0.4), usual_step, {}));
  Cluster cluster(model_of(13, 0.4), usual_step, {});
  Unpacker unpacker(state);
  EXPECT_THAT([&] { cluster.unpack(unpacker); },
              testing::ThrowsMessage<std::runtime_error>(
                  "the state of a cluster of 14 atoms came to one of 13"));
  const State part(state.begin(), state.begin() + 5);
  Unpacker short_one(part);
  EXPECT_THAT([&] { cluster.unpack(short_one); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("unpacks more than it packed")));
}

TEST(LennardJones, RefusesASphereThatIsTooSmall) {
  ClusterModel model = model_of(55, 0.4);
  model.radius = 1;
  EXPECT_THAT([&] { Cluster(model, usual_step, {}); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("it must be 2.51")));
}

TEST(LennardJones, TunesItsStepAtTheStartOnly) {
  Cluster cluster(model_of(13, 0.4, 1000), 0.5, {});
  Team team;
  cluster.execute({}, team);
  const double first = cluster.step();
  EXPECT_NE(first, 0.5);
  cluster.execute({}, team);
  const double tuned = cluster.step();
  const std::int64_t before = cluster.accepted();
  for (int item = 0; item < 20; ++item) cluster.execute({}, team);
  EXPECT_EQ(cluster.step(), tuned);
  EXPECT_NEAR(static_cast<double>(cluster.accepted() - before) / 20000, 0.5, 0.12);
}

TEST(LennardJones, IsWarmingUpWhileItTunes) {
  Cluster cluster(model_of(13, 0.4, 500), 0.5, {});
  Team team;
  for (int item = 0; item < 6; ++item) {
    const double step = cluster.step();
    cluster.execute({}, team);
    EXPECT_EQ(cluster.warming_up(), item < 4);
    EXPECT_EQ(cluster.step() != step, item < 4);
  }
  double draw[2];
  cluster.observe(draw);
  EXPECT_EQ(draw[0], cluster.energy().value());
  EXPECT_NEAR(draw[1], 0.5, 0.15);
}

TEST(LennardJones, KeepsItsAtomsInTheSphere) {
  const ClusterModel model = model_of(13, 5, 1000);  // hot: a gas
  Cluster cluster(model, usual_step, {});
  Team team;
  for (int item = 0; item < 20; ++item) {
    cluster.execute({}, team);
    for (const Point& atom : cluster.atoms()) {
      EXPECT_LE(distance2(atom, {}), model.radius * model.radius);
    }
  }
}

/// Descends the gradient of the energy to the next minimum and returns the energy there.
double quenched(std::vector<Point> atoms) {
  const auto energy = [](const std::vector<Point>& points) {
    double sum = 0;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) sum += pair_energy(distance2(points[a], points[b]));
    }
    return sum;
  };
  double best = energy(atoms);
  double pace = 1e-4;
  for (int round = 0; round < 20000 && pace > 1e-14; ++round) {
    std::vector<Point> moved = atoms;
    for (std::size_t a = 0; a < atoms.size(); ++a) {
      for (std::size_t b = 0; b < atoms.size(); ++b) {
        if (a == b) continue;
        const double r2 = distance2(atoms[a], atoms[b]);
        const double sixth = 1 / (r2 * r2 * r2);
        const double force = std::min(24 * sixth * (2 * sixth - 1) / r2, 1e4) * pace;
        moved[a].x += force * (atoms[a].x - atoms[b].x);
        moved[a].y += force * (atoms[a].y - atoms[b].y);
        moved[a].z += force * (atoms[a].z - atoms[b].z);
      }
    }
    const double now = energy(moved);
    if (now < best) {
      best = now;
      atoms = std::move(moved);
      pace *= 1.2;
    } else {
      pace /= 2;
    }
  }
  return best;
}

// The minimum of 13 atoms: Hoare and Pal, Adv. Phys. 20, 1971.
TEST(LennardJones, ReachesTheKnownMinimumOfThirteenAtoms) {
  Cluster cluster(model_of(13, 0.35, 2000), usual_step, {0, 3});
  Team team;
  double least = 0;
  for (int item = 0; item < 60 && least > -44.3; ++item) {
    cluster.execute({}, team);
    least = std::min(least, quenched(cluster.atoms()));
  }
  EXPECT_NEAR(least, -44.326801, 1e-5);
}

TEST(LennardJones, HasTheMeanEnergiesOfALongRunInSeveralChains) {
  for (const double temperature : {0.2, 0.3, 0.5}) {
    const ClusterModel model = model_of(13, temperature, 130);
    const Estimate one = estimate(means_of(model, {0, 11}, 20, 500));
    std::vector<double> blocks;
    for (int chain = 1; chain <= 4; ++chain) {
      const std::vector<double> some = means_of(model, {chain, 12}, 5, 500);
      blocks.insert(blocks.end(), some.begin(), some.end());
    }
    const Estimate several = estimate(blocks);
    EXPECT_NEAR(one.mean, several.mean, 4 * std::hypot(one.error, several.error))
        << "temperature " << temperature;
  }
}

// Positions in a file.

const std::string three_atoms = "3\nany comment\nAr 0 0 0\nAr 1.1 0.0 -0.5\nAr 0 1.1e0 +0.25\n";

TEST(PositionsFile, HasTheAtomsAtTheStart) {
  const TextFile file(three_atoms + "\n  \n");
  const ClusterModel model = model_of(3, 0.4);
  EXPECT_EQ(atoms_in_xyz(file.path(), model),
            (std::vector<Point>{{0, 0, 0}, {1.1, 0, -0.5}, {0, 1.1, 0.25}}));
  Options options = with_fallbacks(*find_entry(walkers(), "lennard_jones")).options;
  options.set("atoms", "3");
  const auto other = make_lennard_jones(options, {});
  options.set("positions_file", file.path());
  const auto walker = make_lennard_jones(options, {});
  EXPECT_EQ(walker->digest(), energy_of(atoms_in_xyz(file.path(), model)).digest());
  EXPECT_NE(walker->digest(), other->digest());
}

TEST(PositionsFile, IsReadAgainWhereItChanged) {
  const TestDirectory directory;
  directory.write("a.xyz", three_atoms);
  const ClusterModel model = model_of(3, 0.4);
  atoms_in_xyz(directory.path("a.xyz"), model);
  directory.write("a.xyz", "3\n\nAr 0 0 0\nAr 1 0 0\nAr 0 1 0\n");
  EXPECT_EQ(atoms_in_xyz(directory.path("a.xyz"), model)[1], (Point{1, 0, 0}));
}

TEST(PositionsFile, IsRefusedWithTheLineThatIsWrong) {
  const auto refused = [](const std::string& text, const std::string& mistake) {
    const TextFile file(text);
    EXPECT_THAT(
        file.mistake<std::invalid_argument>([&] { atoms_in_xyz(file.path(), model_of(3, 0.4)); }),
        HasSubstr(mistake))
        << text;
  };
  const std::string head = "3\n\nAr 0 0 0\n";
  refused("", ":1: no number of atoms");
  refused("three\n", ":1: no number of atoms");
  refused("4\n\n", ":1: 4 atoms, and the walker has 3");
  refused("3\n", ":3: the file ends after 0 of 3 atoms");
  refused(head + "Ar 1 0 0\n", ":5: the file ends after 2 of 3 atoms");
  refused(head + "\n", ":4: no atom");
  refused(head + "Ar 1 0\n", ":4: no atom");
  refused(head + "Ar 1 0 0 0\n", ":4: no atom");
  refused(head + "Ar 1 0 x\n", ":4: 'x' is not a coordinate");
  refused(head + "Ar 1 0 nan\n", ":4: 'nan' is not a coordinate");
  refused(head + "Kr 1 0 0\n", ":4: 'Kr' is another element than 'Ar'");
  refused(head + "Ar 9 0 0\n", ":4: the atom is 9 σ away");
  refused(head + "Ar 1 0 0\nAr 0 0 0.05\n", ":5: the atom is nearer than 0.1 σ to that of line 3");
  refused(three_atoms + "Ar 0 0 1\n", ":6: there is more than 3 atoms");
  EXPECT_THROW(atoms_in_xyz("/no/file.xyz", model_of(3, 0.4)), std::invalid_argument);
}

}  // namespace
}  // namespace regroup::lennard_jones_test
