// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/chains/live_chain.hpp"
#include "walkers/walkers.hpp"

namespace regroup {

/// Walkers that sleep for the time of their items, with a state of so many bytes.
inline WalkerSource sleeping(int state_bytes = 0) {
  const WalkerEntry& sleep = *find_entry(walkers(), "sleep");
  const Options options{{"state_bytes", std::to_string(state_bytes)}};
  return {[&sleep, options](ChainName name) { return sleep.make(options, name); }, state_bytes > 0};
}

}  // namespace regroup
