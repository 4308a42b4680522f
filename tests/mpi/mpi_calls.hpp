// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the calls of this process to MPI and to the system: the test program defines functions of
// the same names, which count the calls and pass them on.
#pragma once

#include <cstddef>
#include <vector>

namespace regroup {

/// The number of calls so far.
struct Calls {
  long mpi = 0;  ///< to MPI functions that range communicators use or that create communicators
  long allocations = 0;   ///< to operator new; 0 with the address sanitizer
  long constructors = 0;  ///< to MPI functions that create a communicator
};

Calls calls_so_far();

/// Replaces the value of the attribute MPI_TAG_UB; 0 restores the true value.
void pretend_largest_tag(int tag);

/// Observes sends and sleeps while it lives. At most one may live at a time.
class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Returns the number of sends to members and leaders whose requests are not completed.
  std::size_t open_sends() const;

  std::size_t most_open_orders = 0;        ///< maximum of open sends to members
  std::size_t calls_that_form = 0;         ///< calls to MPI_Comm_create_group and MPI_Comm_split
  std::size_t most_open_when_forming = 0;  ///< maximum of open sends when such a call begins
  double slow_to_form_s = 0;               ///< duration of a sleep before each such call
  std::vector<double> sleeps_s;            ///< sleeps longer than 1.4 ms
};

}  // namespace regroup
