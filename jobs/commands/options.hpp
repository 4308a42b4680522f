// SPDX-License-Identifier: BSD-3-Clause
//
// Options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "jobs/commands/commands.hpp"

namespace regroup {

/// What --help of a kind of measurement tells of its configurations.
std::string about_measurements(const MeasurementKind& kind);

/// The configuration that a command is about, and --set.
CLI::Option* add_config(CLI::App* command, ConfigSource& config,
                        const std::string& help = "the YAML file");

/// Everything that a command takes that executes a configuration, or plans that.
void add_options(CLI::App* command, ConfigSource& config, SweepOptions& sweep);
void add_plan_options(CLI::App* command, PlanOptions& plan);

/// Whether the exit code is that of the guidelines of creation.
void add_check(CLI::App* command, bool& check);

}  // namespace regroup
