// SPDX-License-Identifier: BSD-3-Clause
//
// What a process asks of MPI and of the system, seen from outside: the test program has functions
// of the same names, which take note and pass on.
#pragma once

#include <cstddef>
#include <vector>

namespace regroup {

struct Witness {
  /// Messages to members and to leaders that were sent and whose requests nobody has completed.
  std::size_t open_sends = 0;
  std::size_t most_open_orders = 0;        ///< at once, of those to members
  std::size_t most_open_when_forming = 0;  ///< when a call began that forms a communicator
  std::size_t calls_that_form = 0;         ///< of MPI_Comm_create_group and MPI_Comm_split
  double slow_to_form_s = 0;               ///< how long each such call sleeps before it begins
  std::vector<double> sleeps_s;            ///< that were asked for, of more than 1.4 ms
  std::size_t allocations = 0;
};

/// From the last call of forget() on.
Witness& witness();
void forget();

}  // namespace regroup
