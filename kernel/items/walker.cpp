// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/items/walker.hpp"

#include <time.h>

#include <array>

#include "kernel/items/sleep.hpp"

namespace regroup {
namespace {

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Processor time, not wall time: with more ranks than cores the item takes longer, as real
// computation would.
void spin(double seconds) {
  const double deadline = processor_time() + seconds;
  while (processor_time() < deadline) {
  }
}

constexpr std::array entries{
    // It needs no core, so items of more ranks than cores run side by side. The deadline is this
    // item's own start plus its time: what was lost before, by communication for instance, stays
    // lost.
    WalkerEntry{{"sleep", "the paper's delay: sleeps for the time of the item", {}}, sleep_for},
    WalkerEntry{{"spin", "keeps a core busy for the time of the item; for one rank per core", {}},
                spin,
                false},
};

}  // namespace

std::span<const WalkerEntry> walkers() { return entries; }

}  // namespace regroup
