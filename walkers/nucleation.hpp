// SPDX-License-Identifier: BSD-3-Clause
//
// A gas of atoms with Lennard-Jones forces that condenses: canonical Monte Carlo as in
// lennard_jones.hpp, until so many atoms hang together. Nobody knows beforehand when that is.
// Source: Stillinger, Rigorous Basis of the Frenkel-Band Theory of Association Equilibrium, J.
// Chem. Phys. 38, 1963: atoms nearer than 1.5 σ belong to the same cluster.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "walkers/lennard_jones.hpp"

namespace regroup {

/// Atoms at random places in the sphere, none nearer than 0.9 σ to another. Throws
/// std::invalid_argument where there is no room for them.
std::vector<Point> gas(const ClusterModel& model, ChainName chain);

/// How many atoms the largest set has in which each can be reached from each by steps of at most
/// 1.5 σ.
std::size_t largest_cluster(const std::vector<Point>& atoms);

class Nucleation final : public Walker {
 public:
  /// Done when the largest cluster has `target` atoms.
  Nucleation(const ClusterModel& model, double step, std::size_t target, ChainName chain);

  void execute(const Item& item, Team& team) override;
  bool done() const override { return largest_ >= target_; }
  void pack(Packer& state) const override { gas_.pack(state); }
  void unpack(Unpacker& state) override;
  Observed observed() const override { return gas_.observed(); }
  std::uint64_t digest() const override { return gas_.digest() + largest_; }

  std::size_t largest() const { return largest_; }

 private:
  Cluster gas_;
  std::size_t target_;
  std::size_t largest_;
};

inline constexpr std::array nucleation_options{
    atoms_option("32", "of the gas"),
    temperature_option("0.45"),
    radius_option(
        "of the sphere that holds the atoms, in units of σ; 0: 2.5 · the cube root of their "
        "number"),
    step_option("0.3"),
    burn_in_option,
    moves_option,
    integer_option("target_atoms", "0", 0, 4096,
                   "the walker ends when so many atoms hang together; 0: half of all"),
};

std::unique_ptr<Walker> make_nucleation(const Options& options, ChainName chain);

}  // namespace regroup
