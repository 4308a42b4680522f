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

/// The processes of a communicator, with what they find out together before their first run.
class Processes {
 public:
  /// Collective over `world`, which outlives this. `waiting`: auto, wrapper, polite or direct.
  /// Throws std::runtime_error if `waiting` is wrapper and that is not in place. `lookout`, if
  /// given, looks while they wait, and outlives them.
  Processes(const std::string& waiting, MPI_Comm world, Lookout* lookout = nullptr);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  MPI_Comm world() const { return site_.comm(); }
  const Surroundings& surroundings() const { return surroundings_; }
  const Waiter& waiter() const { return waiter_; }
  Site& site() { return site_; }

  /// Collective: the clock of the next run. Clocks of several hosts are compared anew.
  SharedClock& clock();

 private:
  Surroundings surroundings_;
  Waiter waiter_;
  Site site_;
  std::optional<SharedClock> clock_;
};

/// The Processes of a copy of `world`, which are kept with `world` until it is freed, or for
/// MPI_COMM_WORLD until MPI_Finalize. Collective over `world`. Throws as the constructor.
Processes& kept_processes(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
