// SPDX-License-Identifier: BSD-3-Clause
//
// What this process asks of MPI and of the system: the test program defines functions of the same
// names, which count and pass the call on.
#pragma once

#include <cstddef>
#include <vector>

namespace regroup {

/// The number of calls so far.
struct Calls {
  long mpi = 0;  ///< of MPI functions that range communicators use or that make communicators
  long allocations = 0;   ///< of operator new; 0 with the address sanitizer
  long constructors = 0;  ///< of the MPI functions those that make a communicator
};

Calls calls_so_far();

/// The value of the attribute MPI_TAG_UB from now on; 0: the true one.
void pretend_largest_tag(int tag);

/// Observes sends and sleeps while it lives. At most one may live at a time.
class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// The messages to members and to leaders whose requests nobody has completed.
  std::size_t open_sends() const;

  std::size_t most_open_orders = 0;        ///< at once, of those to members
  std::size_t calls_that_form = 0;         ///< of MPI_Comm_create_group and MPI_Comm_split
  std::size_t most_open_when_forming = 0;  ///< when such a call began
  double slow_to_form_s = 0;               ///< the time that each of them sleeps before it begins
  std::vector<double> sleeps_s;            ///< of more than 1.4 ms
};

}  // namespace regroup
