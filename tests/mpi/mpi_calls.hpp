// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// What this process has done so far: calls of MPI functions, seen through MPI's profiling
/// interface (all that the range communicators use, and all that make communicators), and
/// allocations by operator new.
struct Calls {
  long mpi = 0;
  long allocations = 0;
  long constructors = 0;  ///< of the MPI functions those that make a communicator
};

Calls calls_so_far();

/// What MPI_Comm_get_attr tells for MPI_TAG_UB from now on; 0: the truth.
void pretend_largest_tag(int tag);

}  // namespace regroup
