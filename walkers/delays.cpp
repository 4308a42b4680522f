// SPDX-License-Identifier: BSD-3-Clause
//
// Walkers that only spend the time of their items, and may have a state of a given size.
#include "kernel/clocks/clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "regroup/numbers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

// Processor time, not wall time: with more ranks than cores, an item takes longer, as a real
// computation would.
void spin_for(double seconds) {
  const double deadline = read_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (read_clock(CLOCK_THREAD_CPUTIME_ID) < deadline) {
  }
}

/// `Take` spends the time of an item, counted from the call, so that earlier delays, for instance
/// by communication, are not made up for.
template <void (*Take)(double seconds)>
class Delay final : public Walker {
 public:
  Delay(std::size_t bytes, ChainName chain) : chain_(chain), state_(bytes) {}

  void execute(const Item& item, Team&) override {
    Take(item.seconds);
    if (state_.empty()) return;
    last_ = random_bits(chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number),
                        static_cast<std::uint64_t>(item.number));
    state_[last_ % state_.size()] = static_cast<std::byte>(last_ >> 56);
  }

  void pack(Packer& state) const override { state.put(std::span(state_)); }
  void unpack(Unpacker& state) override { state.take(std::span(state_)); }

  std::uint64_t digest() const override { return last_; }

 private:
  ChainName chain_;
  std::uint64_t last_ = 0;  // latest random bits; not part of the state
  std::vector<std::byte> state_;
};

}  // namespace

std::unique_ptr<Walker> make_sleep(const Options& options, ChainName chain) {
  return std::make_unique<Delay<sleep_for>>(options.integer("state_bytes"), chain);
}

std::unique_ptr<Walker> make_spin(const Options& options, ChainName chain) {
  return std::make_unique<Delay<spin_for>>(options.integer("state_bytes"), chain);
}

}  // namespace regroup
