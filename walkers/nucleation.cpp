// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

constexpr double nearest = 0.9;    // minimum distance at the start
constexpr double together = 1.5;   // maximum distance of neighbours in Stillinger's criterion
constexpr int most_trials = 1000;  // to place an atom

}  // namespace

std::vector<Point> gas(const ClusterModel& model, ChainName chain) {
  std::uint64_t drawn = 0;
  const auto along = [&] {
    const auto bits = random_bits(chain.stream, Purpose::chain_start,
                                  static_cast<std::uint64_t>(chain.number), drawn++);
    return model.radius * (2 * unit_interval(bits) - 1);
  };
  std::vector<Point> atoms;
  for (int trials = 0; atoms.size() < model.atoms; ++trials) {
    if (trials == most_trials) {
      throw std::invalid_argument(
          fmt::format("there is no room for {} atoms, {} σ apart, in a sphere of radius {:g}",
                      model.atoms, nearest, model.radius));
    }
    const double x = along();
    const double y = along();
    const Point place{x, y, along()};
    if (distance2(place, {}) > model.radius * model.radius) continue;
    const bool is_free = std::ranges::none_of(
        atoms, [&](const Point& other) { return distance2(place, other) < nearest * nearest; });
    if (!is_free) continue;
    atoms.push_back(place);
    trials = 0;
  }
  return atoms;
}

std::size_t largest_cluster(const std::vector<Point>& atoms) {
  std::vector<std::size_t> found;
  std::vector<std::size_t> others(atoms.size());
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) others[atom] = atom;
  std::size_t largest = 0;
  while (!others.empty()) {
    found.assign(1, others.back());
    others.pop_back();
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::erase_if(others, [&](std::size_t other) {
        const bool near = distance2(atoms[found[i]], atoms[other]) <= together * together;
        if (near) found.push_back(other);
        return near;
      });
    }
    largest = std::max(largest, found.size());
  }
  return largest;
}

Nucleation::Nucleation(const ClusterModel& model, double step, std::size_t target, ChainName chain)
    : gas_(model, step, chain, gas(model, chain)),
      target_(target),
      largest_(largest_cluster(gas_.atoms())) {}

void Nucleation::execute(const Item& item, Team& team) {
  gas_.execute(item, team);
  largest_ = largest_cluster(gas_.atoms());
}

void Nucleation::unpack(Unpacker& state) {
  gas_.unpack(state);
  largest_ = largest_cluster(gas_.atoms());
}

std::unique_ptr<Walker> make_nucleation(const Options& options, ChainName chain) {
  const ClusterModel model = cluster_model(options, options.real("sphere_radius"), 2.5);
  auto target = static_cast<std::size_t>(options.integer("target_atoms"));
  if (target == 0) target = (model.atoms + 1) / 2;
  if (target > model.atoms) {
    throw std::invalid_argument(
        fmt::format("{} of {} atoms never hang together", target, model.atoms));
  }
  return std::make_unique<Nucleation>(model, options.real("max_displacement"), target, chain);
}

}  // namespace regroup
