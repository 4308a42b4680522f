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

/// The monotonic clock of this host, which boot id and time namespace name; several hosts may have
/// one name. (MPI_Wtime has an origin per process under Open MPI.)
HostClock own_clock();

/// The clock of a simulator, which all processes read alike.
HostClock simulated_clock();

/// A clock that all processes read alike, that of rank 0's host, and a common start.
///
/// One process of each other host, its leader, finds the offset of that clock by messages and tells
/// the rest. Clocks drift, so they look again: at the end of a run, which sets its times right, and
/// now and then during measurements.
class SharedClock {
 public:
  /// Collective over `world`; takes the first look. `own`: this host's clock. `world` and `waiter`
  /// outlive this.
  SharedClock(MPI_Comm world, const Waiter& waiter, HostClock own);

  /// Collective: agrees on a start and waits for it.
  void start_together();

  /// Collective over `world`, that of this clock: the start is when rank 0 makes this call, and
  /// nobody waits for it.
  void start_at_once(Site& world);

  /// Seconds since the common start, by what is known by now.
  double now() const;

  /// A result of now() between the first two looks, as known after the second.
  double settled(double time) const;

  /// Collective over the world.
  void look_again();

  /// On rank 0: whether clocks may have drifted, and a new look would take little of the time.
  bool is_due() const;
  bool has_other_hosts() const { return other_hosts_; }

  /// At the clock of another host: how many there were.
  int looks() const { return offset_.readings(); }

  /// Bounds of the error of now() and settled() on this host, if clocks drift evenly; 0 on rank
  /// 0's.
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

/// Waits for all ranks of `world`, and then for a common moment, which it returns: the start of a
/// sample. Collective; forms no communicator. First looks at the clocks of other hosts if that is
/// due.
double common_start(Site& world, SharedClock& clock);

}  // namespace regroup
