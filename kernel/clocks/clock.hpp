// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <time.h>

namespace regroup {

/// Returns the time of `clock` (CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, …) in seconds.
inline double read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace regroup
