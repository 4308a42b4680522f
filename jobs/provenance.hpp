// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/configuration.hpp"

namespace regroup {

/// Where results come from, as YAML: version, commit, compiler, MPI, host, cores, date, command
/// line, and the configuration with its hash.
std::string provenance(const Configuration& configuration, const std::string& command);

}  // namespace regroup
