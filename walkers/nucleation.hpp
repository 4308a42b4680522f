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
    integer_option("atoms", "32", 2, 4096, "of the gas"),
    real_option("temperature", "0.45", 1e-6, 1e6, "in units of ε"),
    real_option(
        "radius", "0", 0, 1e6,
        "of the sphere that holds the atoms, in units of σ; 0: 2.5 · the cube root of their "
        "number"),
    real_option("step", "0.3", 1e-9, 1e6,
                "an atom moves by at most so much along each axis, in units of σ, at the start"),
    integer_option("burn_in", "10000", 0, 1e15,
                   "moves at the start during which the step is tuned to an acceptance of a half"),
    integer_option("moves", "100", 1, 1e9, "of one atom each, in an item"),
    integer_option("target", "0", 0, 4096,
                   "the walker ends when so many atoms hang together; 0: half of all"),
};

std::unique_ptr<Walker> make_nucleation(const Options& options, ChainName chain);

}  // namespace regroup
