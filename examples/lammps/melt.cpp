// SPDX-License-Identifier: BSD-3-Clause
//
// melt: molecular dynamics of a Lennard-Jones liquid of reduced density 0.8442, executed by LAMMPS.
// The atoms start on the sites of an fcc lattice, which melts. The potential is cut at 2.5 σ and
// shifted to 0 there, so that the total energy is conserved. Lengths are in units of σ, energies
// and temperatures in units of ε.
//
// The last bits of forces depend on the number of members, and trajectories are chaotic: groups of
// different sizes execute different chains, with the same energy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <regroup/program.hpp>
#include <regroup/team_communicator.hpp>
#include <regroup/walker.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "lammps_instance.hpp"

using namespace regroup;

namespace {

constexpr double density = 0.8442;
constexpr int atoms_per_cell = 4;

/// Returns the number of cells along each edge of the cube with about `atoms` atoms.
int cells_of(std::int64_t atoms) {
  return static_cast<int>(std::lround(std::cbrt(static_cast<double>(atoms) / atoms_per_cell)));
}

std::size_t atoms_in(int cells) {
  return atoms_per_cell * static_cast<std::size_t>(cells * cells * cells);
}

const double cell_size = std::cbrt(atoms_per_cell / density);

/// Returns three coordinates per atom.
std::vector<double> lattice(int cells) {
  constexpr double sites[atoms_per_cell][3] = {
      {0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  std::vector<double> places;
  places.reserve(3 * atoms_in(cells));
  for (int x = 0; x < cells; ++x) {
    for (int y = 0; y < cells; ++y) {
      for (int z = 0; z < cells; ++z) {
        for (const auto& [dx, dy, dz] : sites) {
          places.insert(places.end(),
                        {cell_size * (x + dx), cell_size * (y + dy), cell_size * (z + dz)});
        }
      }
    }
  }
  return places;
}

/// Returns three velocity components per atom: normally distributed, without drift of the centre of
/// mass, and of exactly the given temperature.
std::vector<double> velocities(std::size_t atoms, double temperature, ChainName chain) {
  std::vector<double> v(3 * atoms);
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = standard_normal(random_bits(chain.stream, Purpose::chain_start,
                                       static_cast<std::uint64_t>(chain.number), i));
  }
  std::array<double, 3> drift{};
  for (std::size_t i = 0; i < v.size(); ++i) drift[i % 3] += v[i] / static_cast<double>(atoms);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] -= drift[i % 3];
    sum += v[i] * v[i];
  }
  const double scale = std::sqrt(temperature * static_cast<double>(v.size() - 3) / sum);
  for (double& one : v) one *= scale;
  return v;
}

class Melt final : public Walker {
 public:
  Melt(const Options& options, ChainName chain)
      : cells_(cells_of(options.integer("atoms"))),
        steps_per_item_(options.integer("steps_per_item")),
        time_step_(options.real("time_step")),
        x_(lattice(cells_)),
        v_(velocities(atoms_in(cells_), options.real("temperature"), chain)) {}

  void joined(Team& team) override {
    lammps_.emplace(communicator(team));
    lammps_->commands(fmt::format(R"(
        units lj
        region box block 0 {0} 0 {0} 0 {0}
        create_box 1 box
        mass 1 1
        pair_style lj/cut 2.5
        pair_coeff 1 1 1 1
        pair_modify shift yes
        neighbor 0.3 bin
        neigh_modify delay 0 every 1 check yes
        fix motion all nve
        timestep {1}
        thermo_style custom pe etotal temp
        thermo 0
        reset_timestep {2})",
                                  cell_size * cells_, time_step_, steps_));
    lammps_->create_atoms(x_, v_);
    run_ = fmt::format("run {}", steps_per_item_);
  }

  void leaving(Team&) override { lammps_.reset(); }

  void execute(const Item&, Team&) override {
    lammps_->commands(run_);
    run_ = fmt::format("run {} pre no post no", steps_per_item_);
    lammps_->gather("x", x_);
    lammps_->gather("v", v_);
    draw_ = {lammps_->thermo("pe"), lammps_->thermo("temp"), lammps_->thermo("etotal")};
    steps_ += steps_per_item_;
  }

  void observe(std::span<double> draw) const override { std::ranges::copy(draw_, draw.begin()); }

  void pack(Packer& state) const override {
    state.put(steps_);
    state.put(std::span(x_));
    state.put(std::span(v_));
  }

  void unpack(Unpacker& state) override {
    steps_ = state.take<std::int64_t>();
    state.take(std::span(x_));
    state.take(std::span(v_));
  }

 private:
  int cells_;
  std::int64_t steps_per_item_;
  double time_step_;

  std::int64_t steps_ = 0;
  std::vector<double> x_;
  std::vector<double> v_;
  std::array<double, 3> draw_{};  // after the last item

  std::optional<LammpsInstance> lammps_;
  std::string run_;  // the command of the next item
};

constexpr std::array melt_options{
    integer_option("atoms", "4000", 2000, 32000, "atoms; rounded to 4 n³"),
    integer_option("steps_per_item", "20", 1, 1e6, "time steps per item"),
    real_option("temperature", "1.44", 0.01, 1000, "temperature of the lattice at the start"),
    real_option("time_step", "0.005", 1e-6, 0.1, "time step"),
};

std::unique_ptr<Walker> make(const Options& options, ChainName chain) {
  return std::make_unique<Melt>(options, chain);
}

std::int64_t state_bytes(const Options& options) {
  const std::size_t numbers = 1 + 6 * atoms_in(cells_of(options.integer("atoms")));
  return static_cast<std::int64_t>(numbers * sizeof(double));
}

// Energies are per atom. The total energy is conserved, so it does not show whether chains agree.
constexpr std::array<std::string_view, 3> quantities{"potential_energy", "temperature", "energy__"};

}  // namespace

void regroup::add_rows(Catalog& catalog) {
  catalog.walkers.push_back(
      {{"melt", "a Lennard-Jones liquid, by molecular dynamics of LAMMPS", melt_options},
       make,
       state_bytes,
       /*smpi=*/false,
       /*timed=*/false,
       quantities,
       /*open_end=*/false,
       /*warm_up_option=*/{},
       /*reproducible=*/false});
}
