// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// A counter for all processes of a host, in memory that they share: no process has to answer
/// another one.
class SharedCounter {
 public:
  /// Collective over `world`. Where hosts do not let their processes share memory, each process has
  /// a counter of its own.
  SharedCounter(const NodeMap& nodes, const Waiter& waiter, MPI_Comm world);
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter();

  /// Which ranks have the same counter: equal numbers, from 0 on. Of each rank.
  const std::vector<int>& sets() const { return sets_; }

  /// The next number: 0, 1, …
  std::int64_t next();

 private:
  std::int64_t* counter_ = nullptr;  // nullptr: own_ counts
  std::int64_t own_ = 0;
  std::vector<int> sets_;
};

}  // namespace regroup
