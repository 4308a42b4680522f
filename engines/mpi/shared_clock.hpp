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

/// A clock and its host.
struct HostClock {
  std::string host;              ///< processes with equal hosts share the clock; empty: all do
  std::function<double()> read;  ///< seconds

  bool is_everybodys() const { return host.empty(); }
};

/// Returns the monotonic clock of this host, identified by boot ID and time namespace, since host
/// names may be ambiguous. (Under Open MPI, each process has its own origin of MPI_Wtime.)
HostClock own_clock();

/// Returns the clock of a simulator, which all processes share.
HostClock simulated_clock();

/// The clock of rank 0's host, which all processes can read, and a common start.
///
/// One process of each other host, its leader, measures the offset of the host's clock by messages,
/// for all processes of the host. Since clocks drift, the offset is measured again: at the end of a
/// run, to correct its times, and occasionally during measurements.
class SharedClock {
 public:
  /// Collective over `world`; takes the first reading. `own`: clock of this host. `world` and
  /// `waiter` must outlive this object.
  SharedClock(MPI_Comm world, const Waiter& waiter, HostClock own);

  /// Agrees on a common start and waits for it. Collective.
  void start_together();

  /// Sets the common start to the time when rank 0 makes this call, without waiting for other
  /// ranks. Collective over `world`, which is that of this clock.
  void start_at_once(Site& world);

  /// Returns the seconds since the common start, by the readings so far.
  double now() const;

  /// Returns `time`, a result of now() between the first two readings, corrected by the second.
  double settled(double time) const;

  /// Takes another reading. Collective over the world.
  void look_again();

  /// On rank 0: whether clocks may have drifted, and another reading would be cheap enough.
  bool is_due() const;
  bool has_other_hosts() const { return other_hosts_; }

  /// Number of readings of the offset.
  int looks() const { return offset_.readings(); }

  /// Bounds of the errors of now() and settled() on this host, in seconds, if clocks drift evenly;
  /// 0 on the host of rank 0.
  double error() const { return offset_.predicted_error(); }
  double settled_error() const { return offset_.error(); }

 private:
  struct Question;

  void find_leaders();
  /// Rank 0's side of a reading of the clock of `leader`'s host. Returns the result.
  ClockReading serve(int leader) const;
  /// The leader's side.
  void find_offset() const;
  void wait_alert(MPI_Request& request) const;

  MPI_Comm world_;
  const Waiter& waiter_;
  HostClock own_;
  int rank_ = 0;
  int ranks_ = 0;
  int leader_ = 0;            // of this host
  bool other_hosts_ = false;  // whether there are hosts besides that of rank 0
  std::vector<int> leaders_;  // by rank; only on rank 0
  OffsetInTime offset_;
  double looked_ = 0;     // time of the last reading, on our clock
  double look_took_ = 0;  // duration of the last reading
  double start_ = 0;      // on the clock of rank 0's host
};

/// Waits for all ranks of `world`, and then for a common time, which it returns: the start of a
/// sample. Takes another reading of the clocks before, if that is due. Collective; creates no
/// communicator.
double common_start(Site& world, SharedClock& clock);

}  // namespace regroup
