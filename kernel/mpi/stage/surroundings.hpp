// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "communicators/waiting/waiter.hpp"
#include "kernel/groups/node_map.hpp"
#include "kernel/places/place.hpp"

namespace regroup {

/// Where the processes of a run find themselves.
struct Surroundings {
  std::string library;               ///< the MPI library and its version
  bool simulated = false;            ///< on SimGrid
  Place place;                       ///< known to rank 0; to nobody when simulated
  NodeMap nodes;                     ///< known to all; to nobody when simulated
  Waiting how = Waiting::direct;     ///< how processes wait, as `waiting` of the run asks for
  std::string waiting_name() const;  ///< direct, polite or wrapper
};

/// Collective over `world`. Throws std::runtime_error where `waiting` is wrapper and that is not in
/// place. Makes the sleeps of real processes end on time, too.
Surroundings look_around(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
