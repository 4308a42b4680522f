// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "regroup/groups.hpp"

namespace regroup {

struct Binding;

/// Whether every rank of `bindings` can have a processor of its own.
bool have_own_processors(std::span<const Binding> bindings);

/// Processors that this process may run on.
RankSet own_cpus();

/// How many of them it may keep busy, limited by quotas. At least one.
int own_cores();

/// Bytes of memory that are free, or can be freed at once, on this host and within the process's
/// control groups of version 2; 0 if unknown. `root`: a folder that stands for /.
double available_memory(const std::string& root = "");

/// Whether `ranks` would have to share the processors that this process may use.
bool would_crowd_this_host(int ranks);

/// Variables of `environment` whose "NAME=" begins with one of `prefixes`, as plain text.
std::map<std::string, std::string> variables_with(std::span<const std::string_view> prefixes,
                                                  const char* const* environment);

/// Variables that configure MPI libraries and schedulers.
std::map<std::string, std::string> placing_variables(const char* const* environment);

/// The scheduler's job that this process is in; empty if in none.
std::string job_id();

}  // namespace regroup
