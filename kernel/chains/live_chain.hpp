// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "kernel/chains/walker.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// What an engine makes walkers with.
struct WalkerSource {
  std::function<std::unique_ptr<Walker>(ChainName name)> make;
  bool has_state = false;  ///< if not, nothing is handed over
};

/// A chain as one member of its group has it: the walker, and how far it is.
class LiveChain {
 public:
  /// At its start.
  LiveChain(const WalkerSource& source, ChainName name)
      : number_(name.number), walker_(source.make(name)) {}

  /// 0, 1, … in the run.
  int number() const { return number_; }

  /// Executes the next item, which takes `seconds` by the configuration.
  void execute(double seconds, Team& team);

  /// All that it takes to go on with it, and back. unpack() throws std::runtime_error where `state`
  /// is of another chain or does not fit the walker.
  State packed() const;
  void pack(State& state) const;  ///< into `state` instead of what is there
  void unpack(std::span<const std::byte> state);

  /// What it has come to by now.
  ChainEnd end() const;

 private:
  int number_;
  std::unique_ptr<Walker> walker_;
  std::int64_t items_ = 0;  // that were executed
  std::uint64_t hash_ = 0;  // of what each of them came to
};

/// The number of the chain whose state it is.
int number_of(std::span<const std::byte> state);

}  // namespace regroup
