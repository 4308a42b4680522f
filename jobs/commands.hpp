// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/config.hpp"

namespace regroup {

// The subcommands that only read and print. Each answers the program's exit code.

/// Every run of a configuration with its predicted time, and the sum.
int print_plan(const Experiment& experiment);

/// The regroup statistics beside the paper's, and the times. `format`: text, markdown, csv, latex.
int print_table(const std::string& directory, const std::string& format);

/// Runs the paper's experiments in virtual time and judges them claim by claim. `what`: table1,
/// figure2 or all. 1 where a claim is neither met nor explained.
int reproduce(const std::string& what);

/// Replays the events of every run of a directory; 1 with the first violation.
int verify(const std::string& directory);

/// Engines, balancers, strategies, workloads and walkers with their options.
int print_lists();

}  // namespace regroup
