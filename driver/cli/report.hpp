// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>

namespace regroup {

/// Adds `report`, by which plots/report.py makes a page of results; its exit code becomes `code`.
void add_report_command(CLI::App& app, int& code);

}  // namespace regroup
