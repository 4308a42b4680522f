// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace regroup {

/// What is wrong with the command line of `app`, whose parsing ended with `error`: of a word that
/// it does not know, also which one was probably meant.
std::string mistake(const CLI::App& app, const CLI::Error& error);

}  // namespace regroup
