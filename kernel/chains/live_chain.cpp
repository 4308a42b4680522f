// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/live_chain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include "regroup/numbers.hpp"

namespace regroup {

LiveChain::LiveChain(const WalkerSource& source, ChainName name)
    : number_(name.number),
      walker_(source.make(name)),
      thin_(source.thin),
      keep_draws_(source.keep_draws) {
  if (source.report_every > 0) names_ = source.quantities;
  draw_.resize(names_.size());
  observed_.resize(names_.size());
}

template <class Act>
void LiveChain::naming_the_item(Act act) const {
  try {
    act();
  } catch (const RunInterrupted&) {
    throw;
  } catch (const std::exception& error) {
    std::throw_with_nested(
        std::runtime_error(fmt::format("chain {}, item {}: {}", number_, items_, error.what())));
  }
}

void LiveChain::execute(double seconds, Team& team, std::span<const State> messages) {
  naming_the_item([&] {
    walker_->execute({items_, seconds, messages}, team);
    if ((items_ + 1) % thin_ == 0 && !names_.empty() && !walker_->warming_up()) observe();
  });
  ++items_;
  hash_ = hash_combined(hash_, walker_->digest());
}

void LiveChain::join(Team& team) {
  naming_the_item([&] { walker_->joined(team); });
}

void LiveChain::leave(Team& team) {
  naming_the_item([&] { walker_->leaving(team); });
}

void LiveChain::observe() {
  walker_->observe(draw_);
  for (std::size_t i = 0; i < draw_.size(); ++i) {
    observed_[i].add(draw_[i]);
    // Squares of numbers above 10^154 overflow.
    if (std::isfinite(draw_[i]) && std::isfinite(observed_[i].squared_deviations)) continue;
    throw std::runtime_error(fmt::format(
        "{} is {}{}", names_[i], draw_[i],
        std::isfinite(draw_[i]) ? ", which is too large" : ", which is not a finite number"));
  }
  if (keep_draws_) draws_.insert(draws_.end(), draw_.begin(), draw_.end());
}

State LiveChain::packed() const {
  State state;
  pack(state);
  return state;
}

void LiveChain::pack(State& state) const {
  state.clear();
  Packer packer(state);
  packer.put(number_);
  packer.put(items_);
  packer.put(hash_);
  packer.put(std::span<const Moments>(observed_));
  packer.put_all(std::span<const double>(draws_));
  walker_->pack(packer);
}

void LiveChain::unpack(std::span<const std::byte> state) {
  Unpacker unpacker(state);
  const int number = unpacker.take<int>();
  if (number != number_) {
    throw std::runtime_error(
        fmt::format("the state of chain {} came to chain {}", number, number_));
  }
  items_ = unpacker.take<std::int64_t>();
  hash_ = unpacker.take<std::uint64_t>();
  unpacker.take(std::span(observed_));
  draws_ = unpacker.take_all<double>();
  walker_->unpack(unpacker);
  if (unpacker.bytes_left() == 0) return;
  throw std::runtime_error(
      fmt::format("a walker packs {} bytes more than it unpacks", unpacker.bytes_left()));
}

ChainReport LiveChain::report() {
  ChainReport report{number_, items_, hash_,
                     std::exchange(observed_, std::vector<Moments>(names_.size())),
                     std::exchange(draws_, {})};
  for (Moments& moments : report.quantities) moments = moments.rounded();
  return report;
}

ChainEnd LiveChain::end() const {
  State state;  // without observations, which do not belong to the result
  Packer packer(state);
  packer.put(number_);
  packer.put(items_);
  packer.put(hash_);
  walker_->pack(packer);
  const std::string_view text(reinterpret_cast<const char*>(state.data()), state.size());
  return {number_, items_, hash_number(text)};
}

int number_of(std::span<const std::byte> state) { return Unpacker(state).take<int>(); }

}  // namespace regroup
