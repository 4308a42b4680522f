// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace regroup {

/// A clock, and the host whose it is.
struct HostClock {
  std::string host;              ///< all processes with the same share the clock; empty: all do
  std::function<double()> read;  ///< seconds

  bool is_everybodys() const { return host.empty(); }
};

/// The monotonic clock of this host. (MPI_Wtime does not do: under Open MPI it counts from an
/// origin of each process's own.) The host is named by its boot id, not by its name, which several
/// hosts may have; and with that by the time namespace, as a container may have its own monotonic
/// clock.
HostClock own_clock();

/// The clock of a simulator, which all processes read alike.
HostClock simulated_clock();

}  // namespace regroup
