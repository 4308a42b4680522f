// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "regroup/groups.hpp"

namespace regroup {

struct Binding;

/// Returns whether every rank of `bindings` can have its own processor.
bool have_own_processors(std::span<const Binding> bindings);

/// Returns the processors that this process may run on.
RankSet own_cpus();

/// Returns the number of processors that this process may use, limited by quotas; at least 1.
int own_cores();

/// Returns the memory in bytes that is available on this host and within the process's control
/// groups (version 2); 0 if unknown. `root`: a directory that replaces /.
double available_memory(const std::string& root = "");

/// Returns whether `ranks` ranks would have to share the processors that this process may use.
bool would_crowd_this_host(int ranks);

/// Returns as plain text the variables of `environment` whose "NAME=" begins with a prefix.
std::map<std::string, std::string> variables_with(std::span<const std::string_view> prefixes,
                                                  const char* const* environment);

/// Returns the variables that configure MPI libraries and schedulers.
std::map<std::string, std::string> placing_variables(const char* const* environment);

/// Returns the scheduler's job of this process; empty outside of jobs.
std::string job_id();

}  // namespace regroup
