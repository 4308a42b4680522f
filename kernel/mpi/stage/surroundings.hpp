// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "communicators/waiting/waiter.hpp"

namespace regroup {

/// The hosts that hold a rank.
struct Hosts {
  int cores = 0;         ///< of all of them
  bool crowded = false;  ///< one of them holds more ranks than it has cores
};

/// Collective over `world`; every rank gets the answer.
Hosts survey_hosts(MPI_Comm world);

/// Where the processes of a run find themselves.
struct Surroundings {
  std::string library;               ///< the MPI library and its version
  bool simulated = false;            ///< on SimGrid
  int cores = 0;                     ///< of all hosts together; 0 when simulated
  Waiting how = Waiting::direct;     ///< how processes wait, as `waiting` of the run asks for
  std::string waiting_name() const;  ///< direct, polite or wrapper
};

/// Collective over `world`. Throws std::runtime_error where `waiting` is wrapper and that is not in
/// place. Makes the sleeps of real processes end on time, too.
Surroundings look_around(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
