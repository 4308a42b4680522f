// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "regroup/groups.hpp"

namespace regroup {

struct Binding;

/// Whether every rank of `bindings` can have a processor that is its alone, of those that it may
/// run on.
bool have_own_processors(std::span<const Binding> bindings);

/// Processors that this process may run on.
RankSet own_cpus();

/// How many of them it may keep busy, by its control groups' quotas, too. At least one.
int own_cores();

/// Those variables of `environment` whose names, with the "=" behind them, begin with one of
/// `prefixes`; names and values as plain text.
std::map<std::string, std::string> variables_with(std::span<const std::string_view> prefixes,
                                                  const char* const* environment);

/// Those variables of the environment that say what MPI libraries and schedulers were told.
std::map<std::string, std::string> placing_variables(const char* const* environment);

/// The job of a scheduler that a process with this environment is in; empty where in none.
std::string job_id();

}  // namespace regroup
