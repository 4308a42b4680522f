// SPDX-License-Identifier: BSD-3-Clause
//
// rounds: sleeps; chains wait for messages of each other. A chain with n items begins round r of R
// with item r n / R.
#include <algorithm>

#include "kernel/clocks/sleep.hpp"
#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

class Rounds final : public Walker {
 public:
  Rounds(const Options& options, ChainName chain)
      : chain_(chain),
        rounds_(options.integer("rounds")),
        all_are_partners_(options.text("partners") == "all"),
        padding_(options.integer("state_bytes")) {
    // Every chain with items needs at least one item per round.
    for (const std::int64_t items : chain.items) {
      if (items > 0) rounds_ = std::min(rounds_, items);
    }
  }

  void execute(const Item& item, Team&) override {
    sleep_for(item.seconds);
    for (const State& message : item.messages) {
      hash_ = hash_combined(hash_, Unpacker(message).take<std::uint64_t>());
    }
    hash_ = hash_combined(
        hash_, random_bits(chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number),
                           static_cast<std::uint64_t>(item.number)));
  }

  std::vector<Need> needs(std::int64_t item) const override {
    std::vector<Need> needs;
    const std::int64_t round = round_of(chain_.number, item);
    if (round == 0 || item != start_of(chain_.number, round)) return needs;
    const int chains = static_cast<int>(chain_.items.size());
    const int first = all_are_partners_ ? 0 : std::max(0, chain_.number - 1);
    const int last = all_are_partners_ ? chains - 1 : std::min(chains - 1, chain_.number + 1);
    for (int other = first; other <= last; ++other) {
      if (other != chain_.number && items_of(other) > 0)
        needs.push_back({other, start_of(other, round) - 1});
    }
    return needs;
  }
  void tell(int, Packer& message) const override { message.put(hash_); }

  void pack(Packer& state) const override {
    state.put(hash_);
    state.put(std::span(padding_));
  }
  void unpack(Unpacker& state) override {
    hash_ = state.take<std::uint64_t>();
    state.take(std::span(padding_));
  }
  std::uint64_t digest() const override { return hash_; }

 private:
  std::int64_t items_of(int chain) const { return chain_.items[static_cast<std::size_t>(chain)]; }
  std::int64_t start_of(int chain, std::int64_t round) const {
    return round * items_of(chain) / rounds_;
  }
  std::int64_t round_of(int chain, std::int64_t item) const {
    return chain_.items.empty() ? 0 : ((item + 1) * rounds_ - 1) / items_of(chain);
  }

  ChainName chain_;
  std::int64_t rounds_;
  bool all_are_partners_;
  std::uint64_t hash_ = 0;  // of all random bits and messages
  std::vector<std::byte> padding_;
};

}  // namespace

std::unique_ptr<Walker> make_rounds(const Options& options, ChainName chain) {
  return std::make_unique<Rounds>(options, chain);
}

}  // namespace regroup
