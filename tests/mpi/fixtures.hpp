// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engines/mpi/mailbox.hpp"
#include "kernel/chains/live_chain.hpp"
#include "regroup/outcome.hpp"
#include "tests/mpi/world.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
// Letters for tests.

/// Returns a letter that contains `number` and the `more` integers that follow it.
inline Letter letter_with(std::int64_t number, int more = 0) {
  Letter letter;
  letter.put(number);
  for (int i = 1; i <= more; ++i) letter.put(number + i);
  return letter;
}

inline Letter received_from(int rank, int tag) {
  Letter letter;
  MPI_Request request = MPI_REQUEST_NULL;
  begin_to_receive(letter, rank, tag, MPI_COMM_WORLD, request);
  complete(request);
  receive_rest(letter, rank, tag, MPI_COMM_WORLD, world().waiter);
  return letter;
}

/// Returns every `step`th rank from `first` to `last`.
inline RankSet strided(int first, int last, int step) {
  std::vector<RankRange> ranges;
  for (int rank = first; rank <= last; rank += step) ranges.push_back({rank, rank});
  return RankSet::of(std::move(ranges));
}

inline RankSet all_ranks() { return {0, world().ranks - 1}; }
inline RankSet even_ranks() { return strided(0, world().ranks - 1, 2); }
inline RankSet odd_ranks() { return strided(1, world().ranks - 1, 2); }

/// Formats the ranks, walker and items of each life, in the order of `lives`.
inline std::vector<std::string> told(const std::vector<GroupLife>& lives) {
  std::vector<std::string> all;
  for (const GroupLife& life : lives) {
    all.push_back(fmt::format("{}: {}, {} to {}", text_of(life.ranks), life.walker,
                              life.items_before, life.items_after));
  }
  return all;
}

/// Returns walkers that sleep for the time of their items and have a state of `state_bytes` bytes.
inline WalkerSource sleeping(int state_bytes = 0) {
  const WalkerEntry& sleep = *find_entry(walkers(), "sleep");
  const Options options{{"state_bytes", std::to_string(state_bytes)}};
  return {[&sleep, options](ChainName name) { return sleep.make(options, name); }, state_bytes > 0};
}
}  // namespace regroup
