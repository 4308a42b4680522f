// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace regroup {

/// A clock that all processes read alike, and the start that they agreed on.
///
/// Processes of one host share its monotonic clock. (MPI_Wtime does not do: under Open MPI it
/// counts from an origin of each process's own.) Between hosts, rank 0 serves as the reference:
/// each process whose host differs takes the exchange with the shortest round trip of ten and
/// assumes that half of it passed each way (Cristian, 1989), so its error is below that half.
class SharedClock {
 public:
  /// Collective over `world`. `one_clock`: all processes read the same clock, whatever their hosts
  /// are called (a simulator's).
  SharedClock(MPI_Comm world, bool one_clock);

  /// Collective over `world`: agrees on a start that lies ahead for every process, and waits for
  /// it.
  void start_together(MPI_Comm world);

  /// Seconds since the common start.
  double now() const { return read() + offset_ - start_; }

 private:
  double read() const;

  bool one_clock_;
  double offset_ = 0;  // the reference's clock minus ours
  double start_ = 0;   // on the reference's clock
};

}  // namespace regroup
