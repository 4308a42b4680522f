// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/live_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include "regroup/numbers.hpp"

namespace regroup {

void LiveChain::execute(double seconds, Team& team) {
  try {
    walker_->execute({items_, seconds}, team);
  } catch (const std::exception& error) {
    std::throw_with_nested(
        std::runtime_error(fmt::format("chain {}, item {}: {}", number_, items_, error.what())));
  }
  ++items_;
  if (observes_) observed_ += walker_->observed();
  hash_ = hash_combined(hash_, walker_->digest());
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
  packer.put(observed_);
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
  observed_ = unpacker.take<Observed>();
  walker_->unpack(unpacker);
  if (unpacker.bytes_left() == 0) return;
  throw std::runtime_error(
      fmt::format("a walker packs {} bytes more than it unpacks", unpacker.bytes_left()));
}

ChainReport LiveChain::report() {
  const Observed seen = std::exchange(observed_, {});
  if (seen.samples == 0) return {number_, items_, 0, 0, 0, seen.proposed, seen.accepted, hash_};
  if (!std::isfinite(seen.sum + seen.squares)) {
    throw std::runtime_error(fmt::format(
        "chain {} observed what is no finite number in its items up to {}", number_, items_));
  }
  const auto samples = static_cast<double>(seen.samples);
  const double mean = seen.sum / samples;
  const double variance = std::max(0.0, seen.squares / samples - mean * mean);
  return {number_, items_, seen.samples, mean, variance, seen.proposed, seen.accepted, hash_};
}

ChainEnd LiveChain::end() const {
  State state;  // what it has observed is no part of the chain
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
