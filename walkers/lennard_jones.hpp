// SPDX-License-Identifier: BSD-3-Clause
//
// Canonical Monte Carlo of a cluster of atoms with Lennard-Jones forces. Lengths are in units of
// σ, energies and temperatures in units of ε (k = 1).
// Source: Metropolis et al., Equation of State Calculations by Fast Computing Machines, J. Chem.
// Phys. 21, 1953; the application is that of Dinan et al., EuroMPI 2011, section 2.3 (dynamical
// nucleation theory: a cluster within a sphere).
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {

struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

inline double distance2(const Point& a, const Point& b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// Returns the energy of two atoms with the squared distance `r2`: 4 (r^-12 - r^-6).
inline double pair_energy(double r2) {
  const double inverse = 1 / r2;
  const double sixth = inverse * inverse * inverse;
  return 4 * sixth * (sixth - 1);
}

/// Atoms nearer than this overlap, with infinite energy. At this distance, the energy is 4e12 ε,
/// some 10^6 times the highest temperature, so that no result depends on the core.
inline constexpr double core_radius = 0.1;

/// Returns minus the energy of atom `atom`, moved to `place`, with the atoms `first`,
/// `first` + `step`, … of `atoms`; -inf if it overlaps one of them.
FixedPoint binding_of(std::size_t atom, const Point& place, const std::vector<Point>& atoms,
                      std::size_t first, std::size_t step);

/// Returns the energy of all pairs. Throws std::range_error if atoms overlap.
FixedPoint energy_of(const std::vector<Point>& atoms);

/// Parameters of a cluster and of its sampling.
struct ClusterModel {
  std::size_t atoms = 13;
  double temperature = 0.3;
  double radius = 0;         ///< of the sphere that confines the atoms
  std::int64_t burn_in = 0;  ///< items during which the step width is tuned
  std::int64_t moves = 1;    ///< number of moves per item; each moves one atom
};

/// Returns the model of `options`, in which the options of moves may be missing. A `radius` of 0
/// means `share` times the cube root of the number of atoms.
ClusterModel cluster_model(const Options& options, double radius, double share);

/// Packs `atoms`, the first part of the states of clusters.
void put_atoms(Packer& state, const std::vector<Point>& atoms);
/// Replaces `atoms`. Throws std::runtime_error unless the state has the same number of atoms.
void take_atoms(Unpacker& state, std::vector<Point>& atoms);

/// Returns atoms near the lattice points that are nearest to the centre, with random displacements.
/// Throws std::invalid_argument if the lattice points do not fit into the sphere.
std::vector<Point> crystal(const ClusterModel& model, ChainName chain);

/// Canonical Monte Carlo of a cluster. Members share the sum over the other atoms in each move.
class Cluster final : public Walker {
 public:
  Cluster(const ClusterModel& model, double step, ChainName chain)
      : Cluster(model, step, chain, crystal(model, chain)) {}
  Cluster(const ClusterModel& model, double step, ChainName chain, std::vector<Point> atoms);

  void execute(const Item& item, Team& team) override;
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  /// Writes the energy, and the fraction of the item's moves that were accepted.
  void observe(std::span<double> draw) const override;
  bool warming_up() const override { return moves_ <= burn_in_moves(); }
  std::uint64_t digest() const override { return energy_.digest(); }

  /// Replaces the atoms and their energy.
  void replace(std::vector<Point> atoms, FixedPoint energy) {
    atoms_ = std::move(atoms);
    energy_ = energy;
  }

  const std::vector<Point>& atoms() const { return atoms_; }
  FixedPoint energy() const { return energy_; }
  double step() const { return step_; }
  std::int64_t moves() const { return moves_; }
  std::int64_t accepted() const { return accepted_; }

 private:
  void move(Team& team);
  /// Adjusts step_ so that about half of the moves are accepted.
  void tune();
  std::int64_t burn_in_moves() const { return model_.burn_in * model_.moves; }

  ClusterModel model_;
  ChainName chain_;
  double step_;  // maximum displacement of an atom along each axis
  std::vector<Point> atoms_;
  FixedPoint energy_;
  std::int64_t moves_ = 0;
  std::int64_t accepted_ = 0;
  std::int64_t accepted_lately_ = 0;  // since the last call of tune()
  std::int64_t accepted_in_item_ = 0;
};

// Options of all walkers with Lennard-Jones atoms.
constexpr OptionSpec atoms_option(std::string_view fallback) {
  return integer_option("atoms", fallback, 2, 4096, "number of atoms");
}
constexpr OptionSpec temperature_option(std::string_view fallback) {
  return real_option("temperature", fallback, 1e-6, 1e6, "temperature, in units of ε");
}
constexpr OptionSpec radius_option(std::string_view help) {
  return real_option("sphere_radius", "0", 0, 1e6, help);
}

// Options of walkers that move one atom at a time.
constexpr OptionSpec step_option(std::string_view fallback) {
  return real_option("max_displacement", fallback, 1e-9, 1e6,
                     "initial value of the largest displacement of an atom in a move, along each "
                     "axis, in units of σ. It is tuned during burn-in.");
}
inline constexpr OptionSpec burn_in_option =
    integer_option("burn_in_items", "100", 0, 1e9,
                   "number of items at the start whose draws are discarded. During these items, "
                   "`max_displacement` is tuned to an acceptance rate of 50 %.");
inline constexpr OptionSpec moves_option = integer_option(
    "moves_per_item", "100", 1, 1e9, "number of moves per item; each moves one atom");

inline constexpr OptionSpec cluster_radius_option = radius_option(
    "radius, in units of σ, of the sphere that confines the atoms. 0 means 1.5 times the cube root "
    "of the number of atoms.");

inline constexpr std::array lennard_jones_options{
    atoms_option("13"),
    temperature_option("0.3"),
    cluster_radius_option,
    step_option("0.1"),
    burn_in_option,
    moves_option,
    optional_file_option(
        "positions_file",
        "XYZ file with the initial positions of the atoms, in units of σ from the centre of the "
        "sphere. Without it, atoms start near the points of a lattice."),
};

inline constexpr std::array<std::string_view, 2> cluster_quantities{"energy", "accept_stat__"};

std::unique_ptr<Walker> make_lennard_jones(const Options& options, ChainName chain);
std::int64_t lennard_jones_state_bytes(const Options& options);

}  // namespace regroup
