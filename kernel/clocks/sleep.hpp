// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Sleeps for at least `seconds`.
void sleep_for(double seconds);

/// Sets the timer slack of the calling thread to the minimum (Linux: prctl(PR_SET_TIMERSLACK)), as
/// sleeps are about 50 µs too long otherwise, and calibrates sleep_for().
void sharpen_sleep();

}  // namespace regroup
