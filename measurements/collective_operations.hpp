// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that the measurement of collectives times: each as one of ours and as MPI's own,
// and what has to come out.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/range.hpp"

namespace regroup {

/// Who takes part in an operation, seen from one member.
struct Scene {
  int rank = 0;
  int size = 1;
  int root = 0;      ///< of the operations that have one
  int elements = 1;  ///< doubles of each member
};

/// What operations work on. A nonblocking operation of MPI reads all of it until it is complete.
struct Buffers {
  std::vector<double> own;    ///< of this member, the same all the time
  std::vector<double> other;  ///< what comes in; at the root of a broadcast, what goes out
  std::vector<int> counts;    ///< of gatherv
  std::vector<int> places;
};

enum class Brings { roots_data, sums, parts_of_all, nothing };

struct CollectiveOperation {
  std::string_view name;
  Brings brings;
  range::Request (*start_ours)(Buffers& buffers, const Scene& scene, const range::Comm& comm);
  void (*start_mpi)(Buffers& buffers, const Scene& scene, MPI_Comm comm, MPI_Request* request);
  /// What `other` begins with afterwards; empty where this member gets nothing.
  std::vector<double> (*expected)(const Scene& scene);
};

/// Throws std::invalid_argument where there is none of that name.
const CollectiveOperation& collective_operation(std::string_view name);

Buffers buffers_for(const CollectiveOperation& operation, const Scene& scene);

/// Executes `operation`: ours on a range communicator, MPI's nonblocking one on any other; both
/// complete as `waiter`, that of the communicator's Site, waits. Called by all members.
void execute(const CollectiveOperation& operation, Buffers& buffers, const Scene& scene,
             const GroupComm& comm, const Waiter& waiter);

/// Executes `operation` on fresh data and throws std::runtime_error where a wrong result comes out.
void verify(const CollectiveOperation& operation, const Scene& scene, const GroupComm& comm,
            const Waiter& waiter);

}  // namespace regroup
