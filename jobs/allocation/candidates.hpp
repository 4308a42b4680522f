// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/allocation/given_hosts.hpp"
#include "jobs/configuration/configuration.hpp"

namespace regroup {

/// An MPI library, as far as launchers are concerned.
struct MpiToLaunch {
  bool open_mpi = false;
  std::string launcher;  ///< its own, for this machine
};
/// The one that this command was built with.
MpiToLaunch own_mpi();

/// Launchers that may start ranks of `mpi` on the hosts of `given`, the likeliest first.
/// `types`: what 'srun --mpi=list' told.
std::vector<JobLauncher> candidates(const GivenHosts& given, const MpiToLaunch& mpi,
                                    const std::string& types);

/// The --mpi of srun that an MPI library may speak, in `types`.
std::vector<std::string> likely_types(const std::string& types, bool open_mpi);

}  // namespace regroup
