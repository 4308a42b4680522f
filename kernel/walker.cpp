// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/walker.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <array>
#include <cmath>

namespace regroup {
namespace {

double read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Processor time, not wall time: with more ranks than cores the item takes longer, as real
// computation would.
void spin(double seconds) {
  const double deadline = read_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (read_clock(CLOCK_THREAD_CPUTIME_ID) < deadline) {
  }
}

constexpr std::array entries{
    WalkerEntry{{"sleep", "the paper's delay: sleeps for the time of the item", {}}, sleep_for},
    WalkerEntry{{"spin", "keeps a core busy for the time of the item; for one rank per core", {}},
                spin,
                false},
};

}  // namespace

// The paper's delay. It needs no core, so items of more ranks than cores run side by side. The
// deadline is this item's own start plus its time: what was lost before, by communication for
// instance, stays lost.
void sleep_for(double seconds) {
  const double deadline = read_clock(CLOCK_MONOTONIC) + seconds;
  for (double left = seconds; left > 0; left = deadline - read_clock(CLOCK_MONOTONIC)) {
    const auto ns = static_cast<long long>(std::ceil(left * 1e9));
    const timespec time{static_cast<time_t>(ns / 1'000'000'000), ns % 1'000'000'000};
    nanosleep(&time, nullptr);
  }
}

std::span<const WalkerEntry> walkers() { return entries; }

void sharpen_sleep() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace regroup
