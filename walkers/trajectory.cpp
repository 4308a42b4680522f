// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

/// Returns the force between atoms at the squared distance `r2`, over r: 24 (2 r^-14 - r^-8).
double force_over_distance(double r2) {
  const double inverse = 1 / r2;
  const double sixth = inverse * inverse * inverse;
  return 24 * sixth * (2 * sixth - 1) * inverse;
}

}  // namespace

Trajectory::Trajectory(const ClusterModel& model, const Dynamics& dynamics, ChainName chain)
    : model_(model),
      dynamics_(dynamics),
      chain_(chain),
      atoms_(crystal(model, chain)),
      forces_(3 * atoms_.size() + 1),
      energy_(energy_of(atoms_)) {}

void Trajectory::execute(const Item&, Team& team) {
  for (std::int64_t i = 0; i < dynamics_.steps && !left_; ++i) step(team);
}

void Trajectory::step(Team& team) {
  std::ranges::fill(forces_, FixedPoint());
  const auto members = static_cast<std::size_t>(team.size());
  std::size_t pair = static_cast<std::size_t>(team.rank());  // pairs before the next own one
  for (std::size_t a = 0; a < atoms_.size(); ++a) {
    for (std::size_t b = a + 1; b < atoms_.size(); ++b) {
      if (pair-- != 0) continue;
      pair = members - 1;
      const double r2 = distance2(atoms_[a], atoms_[b]);
      const double factor = force_over_distance(r2);
      const double along[3] = {atoms_[a].x - atoms_[b].x, atoms_[a].y - atoms_[b].y,
                               atoms_[a].z - atoms_[b].z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const FixedPoint force = FixedPoint::of(factor * along[axis]);
        forces_[3 * a + axis] += force;
        forces_[3 * b + axis] -= force;
      }
      forces_.back() += FixedPoint::of(pair_energy(r2));
    }
  }
  team.sum(forces_);
  energy_ = forces_.back();

  const double wide = std::sqrt(2 * model_.temperature * dynamics_.time_step);
  const auto numbers = static_cast<std::uint64_t>(3 * atoms_.size());
  const auto first = static_cast<std::uint64_t>(steps_++) * numbers;
  const auto moved = [&](std::size_t place, double from) {
    const double noise = standard_normal(random_bits(
        chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number), first + place));
    const double force = forces_[place].value();
    return from + force * dynamics_.time_step + wide * noise;
  };
  for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
    Point& place = atoms_[atom];
    place = {moved(3 * atom, place.x), moved(3 * atom + 1, place.y), moved(3 * atom + 2, place.z)};
  }
  left_ = has_left();
}

bool Trajectory::has_left() const {
  Point middle;
  for (const Point& atom : atoms_) {
    middle = {middle.x + atom.x, middle.y + atom.y, middle.z + atom.z};
  }
  const auto number = static_cast<double>(atoms_.size());
  middle = {middle.x / number, middle.y / number, middle.z / number};
  return std::ranges::any_of(atoms_, [&](const Point& atom) {
    return distance2(atom, middle) > model_.radius * model_.radius;
  });
}

void Trajectory::pack(Packer& state) const {
  put_atoms(state, atoms_);
  state.put(energy_);
  state.put(steps_);
}

void Trajectory::unpack(Unpacker& state) {
  take_atoms(state, atoms_);
  energy_ = state.take<FixedPoint>();
  steps_ = state.take<std::int64_t>();
  left_ = has_left();
}

std::unique_ptr<Walker> make_trajectory(const Options& options, ChainName chain) {
  return std::make_unique<Trajectory>(
      cluster_model(options, options.real("end_radius"), 1.5),
      Dynamics{options.real("time_step"), options.integer("steps_per_item")}, chain);
}

}  // namespace regroup
