// SPDX-License-Identifier: BSD-3-Clause
//
// A cluster of atoms with Lennard-Jones forces that moves by Brownian dynamics until an atom leaves
// it: a trajectory of many steps that ends at random, as those of nonequilibrium umbrella sampling
// (Dinan et al., EuroMPI 2011, section 2.3). Units as in lennard_jones.hpp; the friction is 1, and
// so is the time in which an atom diffuses by about σ at temperature ε.
// Source: Ermak and McCammon, Brownian dynamics with hydrodynamic interactions, J. Chem. Phys. 69,
// 1978, without these interactions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "walkers/lennard_jones.hpp"

namespace regroup {

/// How such a cluster moves.
struct Dynamics {
  double time_step = 1e-4;
  std::int64_t steps = 1;  ///< in an item
};

/// Members share the pairs of atoms, and sum the forces of all.
class Trajectory final : public Walker {
 public:
  /// It begins with the atoms of crystal(), and is done when one is farther from the middle of all
  /// than the model's radius.
  Trajectory(const ClusterModel& model, const Dynamics& dynamics, ChainName chain);

  void execute(const Item& item, Team& team) override;
  bool done() const override { return left_; }
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  /// The energy before each step.
  Observed observed() const override { return observed_; }
  std::uint64_t digest() const override { return static_cast<std::uint64_t>(energy_.bits()); }

  const std::vector<Point>& atoms() const { return atoms_; }
  /// Before the last step.
  FixedPoint energy() const { return energy_; }

 private:
  void step(Team& team);
  /// Whether an atom is too far away.
  bool has_left() const;

  ClusterModel model_;
  Dynamics dynamics_;
  ChainName chain_;
  std::vector<Point> atoms_;
  std::vector<std::int64_t> forces_;  // along each axis of each atom, and the energy
  FixedPoint energy_;
  std::int64_t steps_ = 0;
  bool left_ = false;
  Observed observed_;  // in the last item
};

inline constexpr std::array trajectory_options{
    atoms_option("13", "of the cluster"),
    temperature_option("0.5"),
    real_option(
        "end_radius", "0", 0, 1e6,
        "the trajectory ends when an atom is farther from the middle of all, in units of σ; "
        "0: 1.5 · the cube root of their number"),
    real_option("time_step", "0.0001", 1e-9, 0.01, "in units of the friction · σ² / ε"),
    integer_option("steps_per_item", "100", 1, 1e9, "of all atoms, in an item"),
};

std::unique_ptr<Walker> make_trajectory(const Options& options, ChainName chain);

}  // namespace regroup
