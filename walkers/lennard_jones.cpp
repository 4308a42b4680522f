// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/lennard_jones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "regroup/numbers.hpp"
#include "walkers/xyz.hpp"

namespace regroup {
namespace {

constexpr std::int64_t tune_every = 100;  // moves

/// Returns the `number` points of a simple cubic lattice that are nearest to its centre.
std::vector<Point> lattice(std::size_t number) {
  constexpr double spacing = 1.12;  // about the distance of least energy of two atoms
  const int half = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(number))));
  std::vector<Point> points;
  for (int x = -half; x <= half; ++x) {
    for (int y = -half; y <= half; ++y) {
      for (int z = -half; z <= half; ++z) {
        points.push_back({spacing * x, spacing * y, spacing * z});
      }
    }
  }
  std::ranges::stable_sort(points, {}, [](const Point& p) { return distance2(p, {}); });
  points.resize(number);
  return points;
}

}  // namespace

FixedPoint binding_of(std::size_t atom, const Point& place, const std::vector<Point>& atoms,
                      std::size_t first, std::size_t step) {
  FixedPoint sum;
  const std::size_t number = atoms.size();
  for (std::size_t other = first; other < number; other += step) {
    if (other == atom) continue;
    const double r2 = distance2(place, atoms[other]);
    if (r2 < core_radius * core_radius) return FixedPoint::minus_infinity();
    sum += FixedPoint::of(-pair_energy(r2));
  }
  return sum;
}

FixedPoint energy_of(const std::vector<Point>& atoms) {
  FixedPoint sum;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    sum -= binding_of(atom, atoms[atom], atoms, atom + 1, 1);
  }
  return sum;
}

std::vector<Point> crystal(const ClusterModel& model, ChainName chain) {
  std::vector<Point> atoms = lattice(model.atoms);
  const double radius2 = model.radius * model.radius;
  if (distance2(atoms.back(), {}) > radius2) {
    throw std::invalid_argument(
        fmt::format("{} atoms do not fit into a sphere of radius {:g}: it must be {:.3g} at least",
                    model.atoms, model.radius, std::sqrt(distance2(atoms.back(), {})) + 0.005));
  }
  // Random displacements, so that chains start from different states.
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    const auto draw = [&](std::uint64_t axis) {
      const auto who = static_cast<std::uint64_t>(chain.number);
      return 0.1 *
             (unit_interval(random_bits(chain.stream, Purpose::chain_start, who, 3 * atom + axis)) -
              0.5);
    };
    Point moved = atoms[atom];
    moved = {moved.x + draw(0), moved.y + draw(1), moved.z + draw(2)};
    if (distance2(moved, {}) <= radius2) atoms[atom] = moved;
  }
  return atoms;
}

Cluster::Cluster(const ClusterModel& model, double step, ChainName chain, std::vector<Point> atoms)
    : model_(model),
      chain_(chain),
      step_(step),
      atoms_(std::move(atoms)),
      energy_(energy_of(atoms_)) {}

void Cluster::execute(const Item&, Team& team) {
  const std::int64_t before = accepted_;
  for (std::int64_t i = 0; i < model_.moves; ++i) move(team);
  accepted_in_item_ = accepted_ - before;
}

void Cluster::observe(std::span<double> draw) const {
  draw[0] = energy_.value();
  draw[1] = static_cast<double>(accepted_in_item_) / static_cast<double>(model_.moves);
}

void Cluster::move(Team& team) {
  // Numbers of 32 bits would suffice; 64 bits leave no doubt about the acceptance.
  const auto draw = [&, move = static_cast<std::uint64_t>(moves_++)](std::uint64_t which) {
    return random_bits(chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number),
                       5 * move + which);
  };
  const auto along = [&](std::uint64_t which) {
    return step_ * (2 * unit_interval(draw(which)) - 1);
  };
  const auto atom = static_cast<std::size_t>(draw(0) % atoms_.size());
  const Point& old = atoms_[atom];
  const Point moved{old.x + along(1), old.y + along(2), old.z + along(3)};
  if (distance2(moved, {}) <= model_.radius * model_.radius) {
    const auto first = static_cast<std::size_t>(team.rank());
    const auto members = static_cast<std::size_t>(team.size());
    const FixedPoint gained = team.sum(binding_of(atom, moved, atoms_, first, members) -
                                       binding_of(atom, old, atoms_, first, members));
    if (metropolis_accepts(gained.value() / model_.temperature, draw(4))) {
      atoms_[atom] = moved;
      energy_ -= gained;
      ++accepted_;
      ++accepted_lately_;
    }
  }
  if (moves_ <= burn_in_moves() && moves_ % tune_every == 0) tune();
}

void Cluster::tune() {
  const bool too_many = 2 * accepted_lately_ > tune_every;
  step_ = std::clamp(too_many ? step_ * 1.1 : step_ / 1.1, 1e-9, model_.radius);
  accepted_lately_ = 0;
}

void Cluster::pack(Packer& state) const {
  put_atoms(state, atoms_);
  state.put(energy_);
  state.put(step_);
  state.put(moves_);
  state.put(accepted_);
  state.put(accepted_lately_);
}

void Cluster::unpack(Unpacker& state) {
  take_atoms(state, atoms_);
  energy_ = state.take<FixedPoint>();
  step_ = state.take<double>();
  moves_ = state.take<std::int64_t>();
  accepted_ = state.take<std::int64_t>();
  accepted_lately_ = state.take<std::int64_t>();
}

void put_atoms(Packer& state, const std::vector<Point>& atoms) {
  state.put(atoms.size());
  state.put(std::span(atoms));
}

void take_atoms(Unpacker& state, std::vector<Point>& atoms) {
  const auto number = state.take<std::size_t>();
  if (number != atoms.size()) {
    throw std::runtime_error(
        fmt::format("the state of a cluster of {} atoms came to one of {}", number, atoms.size()));
  }
  state.take(std::span(atoms));
}

ClusterModel cluster_model(const Options& options, double radius, double share) {
  ClusterModel model;
  model.atoms = static_cast<std::size_t>(options.integer("atoms"));
  model.temperature = options.real("temperature");
  model.radius = radius;
  if (radius == 0) model.radius = share * std::cbrt(static_cast<double>(model.atoms));
  if (options.has("burn_in_items")) model.burn_in = options.integer("burn_in_items");
  if (options.has("moves_per_item")) model.moves = options.integer("moves_per_item");
  return model;
}

std::unique_ptr<Walker> make_lennard_jones(const Options& options, ChainName chain) {
  const ClusterModel model = cluster_model(options, options.real("sphere_radius"), 1.5);
  return std::make_unique<Cluster>(model, options.real("max_displacement"), chain,
                                   options.has("positions_file")
                                       ? atoms_in_xyz(options.text("positions_file"), model)
                                       : crystal(model, chain));
}

std::int64_t lennard_jones_state_bytes(const Options& options) {
  return options.integer("atoms") * static_cast<std::int64_t>(sizeof(Point)) + 56;
}

}  // namespace regroup
