// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {

namespace {

/// Returns the temperature of chain `chain` of `chains`.
double replica_temperature(const Options& options, int chain, std::size_t chains) {
  const double lowest = options.real("temperature");
  if (chains < 2) return lowest;
  const double share = static_cast<double>(chain) / static_cast<double>(chains - 1);
  return lowest * exact::exp(share * exact::log(options.real("highest_temperature") / lowest));
}

ClusterModel model_of(const Options& options, const ChainName& chain) {
  ClusterModel model = cluster_model(options, options.real("sphere_radius"), 1.5);
  model.temperature = replica_temperature(options, chain.number, chain.items.size());
  return model;
}

class ReplicaExchange final : public Walker {
 public:
  ReplicaExchange(const Options& options, ChainName chain);

  void execute(const Item& item, Team& team) override;
  std::vector<Need> needs(std::int64_t item) const override;
  void tell(int to, Packer& message) const override;
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  void observe(std::span<double> draw) const override;
  bool warming_up() const override { return cluster_.warming_up(); }
  std::uint64_t digest() const override;

 private:
  static constexpr int nobody = -1;

  /// The data that move between chains together with the atoms.
  struct Replica {
    enum class End : std::int32_t { none, lowest, highest };
    std::int32_t number = 0;   ///< of the chain in which it started
    End last_end = End::none;  ///< the extreme temperature that it had last
  };

  /// Returns the chain to swap with before `item`, or nobody.
  int partner(std::int64_t item) const;
  void try_swap(const Item& item);

  ChainName chain_;
  std::int64_t swap_every_;
  Options options_;
  double temperature_;
  Cluster cluster_;
  Replica replica_;
  bool swapped_ = false;
  bool came_back_ = false;
};

ReplicaExchange::ReplicaExchange(const Options& options, ChainName chain)
    : chain_(chain),
      swap_every_(options.integer("swap_every")),
      options_(options),
      temperature_(replica_temperature(options, chain.number, chain.items.size())),
      cluster_(model_of(options, chain), options.real("max_displacement"), chain),
      replica_{chain.number, chain.number == 0 ? Replica::End::lowest : Replica::End::none} {}

int ReplicaExchange::partner(std::int64_t item) const {
  if (item == 0 || item % swap_every_ != 0) return nobody;
  const bool upwards = (item / swap_every_ + chain_.number) % 2 == 0;
  const int other = chain_.number + (upwards ? 1 : -1);
  if (other < 0 || other >= static_cast<int>(chain_.items.size())) return nobody;
  // Both chains must continue, since they swap their replicas.
  return chain_.items[static_cast<std::size_t>(other)] > item ? other : nobody;
}

std::vector<Need> ReplicaExchange::needs(std::int64_t item) const {
  const int other = partner(item);
  if (other == nobody) return {};
  return {{other, item - 1}};
}

void ReplicaExchange::tell(int, Packer& message) const {
  message.put(cluster_.energy());
  put_atoms(message, cluster_.atoms());
  message.put(replica_);
}

void ReplicaExchange::execute(const Item& item, Team& team) {
  came_back_ = false;
  if (!item.messages.empty()) try_swap(item);
  cluster_.execute(item, team);
}

void ReplicaExchange::try_swap(const Item& item) {
  Unpacker message(item.messages.front());
  const auto energy = message.take<FixedPoint>();
  std::vector<Point> atoms(cluster_.atoms().size());
  take_atoms(message, atoms);
  const auto replica = message.take<Replica>();
  const int other = partner(item.number);
  const double other_temperature = replica_temperature(options_, other, chain_.items.size());
  // Bitwise equal in both chains, because both differences change their signs.
  const double log_ratio =
      (1 / temperature_ - 1 / other_temperature) * (cluster_.energy().value() - energy.value());
  const std::uint64_t bits = random_bits(chain_.stream, Purpose::swap,
                                         static_cast<std::uint64_t>(std::min(chain_.number, other)),
                                         static_cast<std::uint64_t>(item.number));
  swapped_ = metropolis_accepts(log_ratio, bits);
  if (!swapped_) return;
  cluster_.replace(std::move(atoms), energy);
  replica_ = replica;
  if (chain_.number == 0) {
    came_back_ = replica_.last_end == Replica::End::highest;
    replica_.last_end = Replica::End::lowest;
  } else if (chain_.number + 1 == static_cast<int>(chain_.items.size()) &&
             replica_.last_end == Replica::End::lowest) {
    replica_.last_end = Replica::End::highest;
  }
}

void ReplicaExchange::observe(std::span<double> draw) const {
  cluster_.observe(draw.first(cluster_quantities.size()));
  draw[2] = temperature_;
  draw[3] = swapped_ ? 1 : 0;
  draw[4] = came_back_ ? 1 : 0;
}

std::uint64_t ReplicaExchange::digest() const {
  return hash_combined(cluster_.digest(), static_cast<std::uint64_t>(replica_.number));
}

void ReplicaExchange::pack(Packer& state) const {
  cluster_.pack(state);
  state.put(replica_);
  state.put(swapped_);
}

void ReplicaExchange::unpack(Unpacker& state) {
  cluster_.unpack(state);
  replica_ = state.take<Replica>();
  swapped_ = state.take<bool>();
}

}  // namespace

std::unique_ptr<Walker> make_replica_exchange(const Options& options, ChainName chain) {
  return std::make_unique<ReplicaExchange>(options, chain);
}

}  // namespace regroup
