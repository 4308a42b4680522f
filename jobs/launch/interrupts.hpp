// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Lets Ctrl-C and SIGTERM end the run in progress, instead of ourselves. Once per program.
void catch_interrupts();

/// Whether an interrupt came.
bool interrupted();

}  // namespace regroup
