// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/clocks/sleep.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "kernel/clocks/clock.hpp"

namespace regroup {
namespace {

void nap(double seconds) {
  const auto ns = static_cast<long long>(std::ceil(seconds * 1e9));
  const timespec time{static_cast<time_t>(ns / 1'000'000'000), ns % 1'000'000'000};
  nanosleep(&time, nullptr);
}

// Steps of the estimate `early`, which is balanced if four of five sleeps end later.
constexpr double rise = 1e-6;
constexpr double fall = 4e-6;
constexpr double most_early = 25e-6;
constexpr double resolution = 1e-6;  // smaller differences are rounding, as in simulators
constexpr double rounding = 2e-9;    // error of the difference of two readings in nanoseconds

}  // namespace

// Sleeps end late, by 25 µs on many virtual machines. So a sleep is shortened by the lateness that
// four of five earlier sleeps exceeded, and the process spins for the remaining few µs.
void sleep_for(double seconds) {
  thread_local double early = 0;
  const double start = read_clock(CLOCK_MONOTONIC);
  double now = start;
  const double asked = seconds - early;
  if (asked > 0) {
    nap(asked);
    now = read_clock(CLOCK_MONOTONIC);
    const double late = now - start - asked;
    early = late > early + resolution ? std::min(early + rise, most_early)
                                      : std::max(early - fall, 0.0);
  }
  while (seconds - (now - start) > rounding) {
    if (early == 0) nap(seconds - (now - start));
    now = read_clock(CLOCK_MONOTONIC);
  }
}

void sharpen_sleep() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  for (int trial = 0; trial < 50; ++trial) sleep_for(100e-6);
}

}  // namespace regroup
