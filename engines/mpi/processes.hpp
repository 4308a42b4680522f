// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/surroundings.hpp"
#include "regroup/communicator.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// The processes of a communicator, with the properties that they determine before their first run.
class Processes {
 public:
  /// Collective over `world`, which outlives this object. `waiting`: auto, wrapper, polite or
  /// direct. Throws std::runtime_error if `waiting` is wrapper but the wrapper is not in place.
  /// `lookout`, if given, looks while the processes wait, and outlives this object.
  Processes(const std::string& waiting, MPI_Comm world, Lookout* lookout = nullptr);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  MPI_Comm world() const { return site_.comm(); }
  const Surroundings& surroundings() const { return surroundings_; }
  const Waiter& waiter() const { return waiter_; }
  Site& site() { return site_; }

  /// Returns the clock of the next run; compares clocks of several hosts again. Collective.
  SharedClock& clock();

 private:
  Surroundings surroundings_;
  Waiter waiter_;
  Site site_;
  std::optional<SharedClock> clock_;
};

/// Returns the Processes of a copy of `world`. They exist until `world` is freed or, for
/// MPI_COMM_WORLD, until MPI_Finalize. Collective over `world`. Throws like the constructor.
Processes& kept_processes(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
