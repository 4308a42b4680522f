// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "regroup/walker.hpp"
#include "walkers/lennard_jones.hpp"

namespace regroup {

inline constexpr std::array delay_options{
    integer_option("state_bytes", "0", 0, 1 << 27,
                   "size of the walker's state in bytes. Ranks that join the walker's group "
                   "receive the state."),
};
inline std::int64_t delay_state_bytes(const Options& options) {
  return options.integer("state_bytes");
}

/// The walker of the paper: sleeps for the time of each item. It needs no core, so more ranks than
/// cores can execute items at the same time.
std::unique_ptr<Walker> make_sleep(const Options& options, ChainName chain);

/// Keeps a core busy for the time of each item.
std::unique_ptr<Walker> make_spin(const Options& options, ChainName chain);

inline constexpr std::array<std::string_view, 2> partner_words{"neighbours", "all"};
inline constexpr std::array rounds_options{
    delay_options.front(),
    integer_option(
        "rounds", "10", 1, 1e9,
        "number of rounds of a chain, with about equal numbers of items. A chain begins a round "
        "when its partners (see `partners`) have finished their previous round."),
    choice_option("partners", "neighbours", partner_words,
                  "chains with which a chain exchanges messages: those with the previous and the "
                  "next number (`neighbours`), or all other chains (`all`)"),
};

inline std::int64_t rounds_state_bytes(const Options& options) {
  return options.integer("state_bytes") + 8;
}

/// Sleeps, and needs a message from each partner before each round but the first.
std::unique_ptr<Walker> make_rounds(const Options& options, ChainName chain);

// Replica exchange of Lennard-Jones clusters: one chain per temperature. Neighbouring chains
// regularly try to swap their atoms, and so their replicas. Source: Swendsen and Wang, Phys. Rev.
// Lett. 57, 1986; Hukushima and Nemoto, J. Phys. Soc. Jpn. 65, 1996.

inline constexpr std::array replica_exchange_options{
    atoms_option("13"),
    real_option("temperature", "0.2", 1e-6, 1e6,
                "temperature of the first chain, which is the lowest, in units of ε"),
    real_option(
        "highest_temperature", "0.5", 1e-6, 1e6,
        "temperature of the last chain, in units of ε. Temperatures are in geometric progression."),
    integer_option("swap_every", "10", 1, 1e9,
                   "number of items between two attempts of neighbouring chains to swap the "
                   "positions of all their atoms"),
    cluster_radius_option,
    step_option("0.1"),
    burn_in_option,
    moves_option,
};

/// temperature__ is that of the chain; swap_stat__ is 1 if its last attempt to swap was accepted,
/// so that its mean is the swap rate; round_trip__ is 1 if a replica that was last at the highest
/// temperature has returned to the lowest.
inline constexpr std::array<std::string_view, 5> replica_exchange_quantities{
    "energy", "accept_stat__", "temperature__", "swap_stat__", "round_trip__"};

std::unique_ptr<Walker> make_replica_exchange(const Options& options, ChainName chain);
inline std::int64_t replica_exchange_state_bytes(const Options& options) {
  return lennard_jones_state_bytes(options) + 9;
}

// Umbrella sampling without bias: a particle in a double well, with one window per chain. A
// particle that leaves its window restarts where the particle of a neighbouring chain has entered
// it. Source: Warmflash, Bhimalapuram and Dinner, J. Chem. Phys. 127, 2007 (nonequilibrium umbrella
// sampling); the use case of Dinan et al., EuroMPI 2011, section 2.3.

inline constexpr std::array umbrella_options{
    real_option("barrier", "3", 0, 1e3,
                "height of the barrier between the wells at -1 and 1, in units of kT"),
    integer_option("moves_per_item", "1000", 1, 1e9, "number of moves of the particle per item"),
    integer_option(
        "exchange_every", "5", 1, 1e9,
        "number of items between two exchanges of messages, in which neighbouring chains send each "
        "other the positions at which their particles have left their windows"),
};

/// exits__: number of times that the particle left the window in the item.
inline constexpr std::array<std::string_view, 2> umbrella_quantities{"position", "exits__"};

std::unique_ptr<Walker> make_umbrella(const Options& options, ChainName chain);
inline std::int64_t umbrella_state_bytes(const Options&) { return 600; }

// A condensing gas of Lennard-Jones atoms: canonical Monte Carlo (lennard_jones.hpp) until a
// cluster has a given number of atoms. Source: Stillinger, J. Chem. Phys. 38, 1963: atoms at
// distances of at most 1.5 σ belong to the same cluster.

/// Returns atoms at random positions in the sphere, at distances of at least 0.9 σ. Throws
/// std::invalid_argument if there is no room for them.
std::vector<Point> gas(const ClusterModel& model, ChainName chain);

/// Returns the number of atoms in the largest cluster.
std::size_t largest_cluster(const std::vector<Point>& atoms);

class Nucleation final : public Walker {
 public:
  /// The chain ends when the largest cluster has at least `target` atoms.
  Nucleation(const ClusterModel& model, double step, std::size_t target, ChainName chain);

  void execute(const Item& item, Team& team) override;
  bool done() const override { return largest_ >= target_; }
  void pack(Packer& state) const override { gas_.pack(state); }
  void unpack(Unpacker& state) override;
  void observe(std::span<double> draw) const override { gas_.observe(draw); }
  bool warming_up() const override { return gas_.warming_up(); }
  std::uint64_t digest() const override { return gas_.digest() + largest_; }

  std::size_t largest() const { return largest_; }

 private:
  Cluster gas_;
  std::size_t target_;
  std::size_t largest_;
};

inline constexpr std::array nucleation_options{
    atoms_option("32"),
    temperature_option("0.45"),
    radius_option("radius, in units of σ, of the sphere that confines the atoms. 0 means 2.5 times "
                  "the cube root of the number of atoms."),
    step_option("0.3"),
    burn_in_option,
    moves_option,
    integer_option("target_atoms", "0", 0, 4096,
                   "the walker ends when the largest cluster has this number of atoms. If 0, half "
                   "of all atoms."),
};

std::unique_ptr<Walker> make_nucleation(const Options& options, ChainName chain);

// Brownian dynamics of a cluster of Lennard-Jones atoms until an atom leaves it: a trajectory of
// random length, as in nonequilibrium umbrella sampling (Dinan et al., EuroMPI 2011, section 2.3).
// In a unit of time, an atom diffuses by about σ at temperature ε. Source: Ermak and McCammon, J.
// Chem. Phys. 69, 1978, without hydrodynamic interactions.

/// Parameters of Brownian dynamics.
struct Dynamics {
  double time_step = 1e-4;
  std::int64_t steps = 1;  ///< per item
};

/// Each member computes the forces of a share of the pairs of atoms; the team sums them.
class Trajectory final : public Walker {
 public:
  /// Starts from crystal(); ends when an atom is farther from the centroid than the model's radius.
  Trajectory(const ClusterModel& model, const Dynamics& dynamics, ChainName chain);

  void execute(const Item& item, Team& team) override;
  bool done() const override { return left_; }
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  /// Writes the energy before the last step.
  void observe(std::span<double> draw) const override { draw[0] = energy_.value(); }
  std::uint64_t digest() const override { return energy_.digest(); }

  const std::vector<Point>& atoms() const { return atoms_; }
  /// The energy before the last step.
  FixedPoint energy() const { return energy_; }

 private:
  void step(Team& team);
  /// Returns whether an atom is farther from the centroid than the model's radius.
  bool has_left() const;

  ClusterModel model_;
  Dynamics dynamics_;
  ChainName chain_;
  std::vector<Point> atoms_;
  std::vector<FixedPoint> forces_;  // three components per atom; last, the energy
  FixedPoint energy_;
  std::int64_t steps_ = 0;
  bool left_ = false;
};

inline constexpr std::array trajectory_options{
    atoms_option("13"),
    temperature_option("0.5"),
    real_option("end_radius", "0", 0, 1e6,
                "the trajectory ends when the distance of an atom from the centroid exceeds this "
                "value, in units of σ. 0 means 1.5 times the cube root of the number of atoms."),
    real_option("time_step", "0.0001", 1e-9, 0.01, "time step, in units of friction · σ² / ε"),
    integer_option("steps_per_item", "100", 1, 1e9, "number of time steps per item"),
};

std::unique_ptr<Walker> make_trajectory(const Options& options, ChainName chain);

std::span<const WalkerEntry> walkers();

}  // namespace regroup
