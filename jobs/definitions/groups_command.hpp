// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace CLI {
class App;
}

namespace regroup {

/// Adds the subcommand `groups` to `app`. What it executes may set the exit code.
void add_groups_command(CLI::App& app, int& code);

}  // namespace regroup
