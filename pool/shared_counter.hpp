// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// A counter for all processes of a host, in their shared memory: no process has to answer requests
/// of others.
class SharedCounter {
 public:
  /// Collective over `world`. If the processes of any host cannot share memory, each process of
  /// `world` has its own counter.
  SharedCounter(const NodeMap& nodes, const Waiter& waiter, MPI_Comm world);
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter();

  /// Returns a number for each rank, from 0 on; ranks with equal numbers share a counter.
  const std::vector<int>& sets() const { return sets_; }

  /// Returns the next number: 0, 1, …
  std::int64_t next();

 private:
  std::int64_t* counter_ = nullptr;  // nullptr: own_ is used
  std::int64_t own_ = 0;
  std::vector<int> sets_;
};

}  // namespace regroup
