// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cmath>

#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

constexpr double half_width = 1.6;  // of all windows together
constexpr double step = 0.1;
constexpr std::size_t most_exits = 16;

double potential(double barrier, double x) { return barrier * (x * x - 1) * (x * x - 1); }

class Umbrella final : public Walker {
 public:
  Umbrella(const Options& options, ChainName chain);

  void execute(const Item& item, Team& team) override;
  std::vector<Need> needs(std::int64_t item) const override;
  void tell(int to, Packer& message) const override;
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  void observe(std::span<double> draw) const override;
  std::uint64_t digest() const override;

 private:
  /// Exits of the particle to one side since the last exchange.
  struct Exits {
    std::int64_t number = 0;
    std::vector<double> places;  ///< positions of the latest exits
    void add(double place);
  };

  bool has(int other) const;
  void move();
  void enter(std::uint64_t bits);

  ChainName chain_;
  double barrier_;
  std::int64_t moves_;
  std::int64_t exchange_every_;
  double lo_ = 0;
  double hi_ = 0;
  double x_ = 0;
  std::uint64_t moved_ = 0;
  std::int64_t left_ = 0;         // number of exits in the last item
  std::array<Exits, 2> exits_;    // to the left and to the right
  std::array<Exits, 2> entries_;  // exits of neighbours: from the left and from the right
};

Umbrella::Umbrella(const Options& options, ChainName chain)
    : chain_(chain),
      barrier_(options.real("barrier")),
      moves_(options.integer("moves_per_item")),
      exchange_every_(options.integer("exchange_every")) {
  const double windows = std::max<double>(1, static_cast<double>(chain.items.size()));
  const double width = 2 * half_width / windows;
  lo_ = -half_width + width * chain.number;
  hi_ = lo_ + width;
  x_ = (lo_ + hi_) / 2;
}

bool Umbrella::has(int other) const {
  return other >= 0 && other < static_cast<int>(chain_.items.size());
}

std::vector<Need> Umbrella::needs(std::int64_t item) const {
  std::vector<Need> needs;
  if (item == 0 || item % exchange_every_ != 0) return needs;
  for (const int other : {chain_.number - 1, chain_.number + 1}) {
    if (has(other) && chain_.items[static_cast<std::size_t>(other)] >= item) {
      needs.push_back({other, item - 1});
    }
  }
  return needs;
}

void Umbrella::tell(int to, Packer& message) const {
  const Exits& exits = exits_[to < chain_.number ? 0 : 1];
  message.put(exits.number);
  message.put_all(std::span<const double>(exits.places));
}

void Umbrella::execute(const Item& item, Team&) {
  if (item.number % exchange_every_ == 0) exits_ = {};
  for (const State& message : item.messages) {
    Unpacker unpacker(message);
    Exits exits;
    exits.number = unpacker.take<std::int64_t>();
    exits.places = unpacker.take_all<double>();
    if (exits.number > 0) entries_[exits.places.front() < (lo_ + hi_) / 2 ? 0 : 1] = exits;
  }
  left_ = 0;
  for (std::int64_t i = 0; i < moves_; ++i) move();
}

void Umbrella::move() {
  const auto draw = [&](std::uint64_t which) {
    return random_bits(chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number),
                       3 * moved_ + which);
  };
  const double moved = x_ + step * (2 * unit_interval(draw(0)) - 1);
  const double gained = potential(barrier_, x_) - potential(barrier_, moved);
  const bool accepted = std::abs(moved) <= half_width && metropolis_accepts(gained, draw(1));
  if (accepted && moved >= lo_ && moved < hi_) {
    x_ = moved;
  } else if (accepted) {
    ++left_;
    exits_[moved < lo_ ? 0 : 1].add(moved);
    enter(draw(2));
  }
  ++moved_;
}

/// Restarts at a random entry into this window; the probability of each side is proportional to its
/// number of entries. Without entries, the particle stays.
void Umbrella::enter(std::uint64_t bits) {
  const std::int64_t all = entries_[0].number + entries_[1].number;
  if (all == 0) return;
  const auto chosen = static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(all));
  const Exits& side = entries_[chosen < entries_[0].number ? 0 : 1];
  x_ = side.places[(bits >> 32) % side.places.size()];
}

void Umbrella::Exits::add(double place) {
  if (places.size() < most_exits) {
    places.push_back(place);
  } else {
    places[static_cast<std::size_t>(number) % most_exits] = place;
  }
  ++number;
}

void Umbrella::observe(std::span<double> draw) const {
  draw[0] = x_;
  draw[1] = static_cast<double>(left_);
}

std::uint64_t Umbrella::digest() const { return std::bit_cast<std::uint64_t>(x_); }

void Umbrella::pack(Packer& state) const {
  state.put(x_);
  state.put(moved_);
  for (const auto* both : {&exits_, &entries_}) {
    for (const Exits& exits : *both) {
      state.put(exits.number);
      state.put_all(std::span<const double>(exits.places));
    }
  }
}

void Umbrella::unpack(Unpacker& state) {
  x_ = state.take<double>();
  moved_ = state.take<std::uint64_t>();
  for (auto* both : {&exits_, &entries_}) {
    for (Exits& exits : *both) {
      exits.number = state.take<std::int64_t>();
      exits.places = state.take_all<double>();
    }
  }
}

}  // namespace

std::unique_ptr<Walker> make_umbrella(const Options& options, ChainName chain) {
  return std::make_unique<Umbrella>(options, chain);
}

}  // namespace regroup
