// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Sleeps for `seconds`, and not less.
void sleep_for(double seconds);

/// Sets this process's timer slack to the minimum (Linux: prctl(PR_SET_TIMERSLACK)); otherwise
/// every sleep is about 50 µs too long.
void sharpen_sleep();

}  // namespace regroup
