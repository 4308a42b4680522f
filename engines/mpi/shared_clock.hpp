// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "kernel/clocks/offset_in_time.hpp"
#include "regroup/communicator.hpp"
#include "regroup/waiter.hpp"

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

/// A clock that all processes read alike, and the start that they agreed on.
///
/// It is the clock of rank 0's host. Of each other host one process, its leader, finds out by
/// messages what that clock is ahead of its own (exchanges.hpp), and tells all of the host. Clocks
/// drift apart, so they look again: at the end of a run, whose times are then set right between the
/// two looks; and now and then while measurements go on. On one host there is nothing to do.
class SharedClock {
 public:
  /// Collective over `world`, and takes the first look. `own` must be the clock of this process's
  /// host, and `world` and `waiter` outlive this.
  SharedClock(MPI_Comm world, const Waiter& waiter, HostClock own);

  /// Collective over the world: agrees on a start that lies ahead for every process, and waits for
  /// it.
  void start_together();

  /// Seconds since the common start, by what is known by now.
  double now() const;

  /// What now() told of a moment after the first look and before the second, by what is known after
  /// the second.
  double settled(double time) const;

  /// Collective over the world.
  void look_again();

  /// On rank 0: whether the last look is so long ago that clocks may have drifted, and that a new
  /// one takes little of the time. The same on all ranks: whether there is anything to look at.
  bool is_due() const;
  bool has_other_hosts() const { return other_hosts_; }

  /// At the clock of another host: how many there were.
  int looks() const { return offset_.readings(); }

  /// Times are wrong by no more, where clocks drift evenly from look to look: what now() told, and
  /// what was settled. Of this host alone; 0 on rank 0's.
  double error() const { return offset_.predicted_error(); }
  double settled_error() const { return offset_.error(); }

 private:
  struct Question;

  void find_leaders();
  /// Rank 0's side of a look at the clock of `leader`'s host; answers what was found.
  ClockReading serve(int leader) const;
  /// The leader's.
  void find_offset() const;
  void wait_alert(MPI_Request& request) const;

  MPI_Comm world_;
  const Waiter& waiter_;
  HostClock own_;
  int rank_ = 0;
  int ranks_ = 0;
  int leader_ = 0;            // of this host
  bool other_hosts_ = false;  // beside rank 0's
  std::vector<int> leaders_;  // of every rank; on rank 0
  OffsetInTime offset_;
  double looked_ = 0;     // when, on our clock
  double look_took_ = 0;  // the last one
  double start_ = 0;      // on the clock of rank 0's host
};

/// Waits until all ranks of `world` have come, and then for a moment that rank 0 names on the clock
/// that all share and that lies ahead for everybody; answers it. Collective; forms no communicator.
/// This is how the samples of measurements begin, so no time lasts from one call to the next: where
/// the last look at the clocks of other hosts is long ago, there is one first.
double common_start(Site& world, SharedClock& clock);

}  // namespace regroup
