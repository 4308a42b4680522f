// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>

namespace regroup {

/// Adds the subcommand `trace`.
void add_trace_command(CLI::App& app);

}  // namespace regroup
