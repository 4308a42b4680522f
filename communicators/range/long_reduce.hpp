// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/pipeline.hpp"
#include "communicators/range/reduce.hpp"

namespace regroup::range {

/// A reduction in pieces of as many elements, whose type all members have in common.
class LongReduceMachine {
 public:
  /// What ReduceMachine says.
  LongReduceMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result,
                    void* spare, int count, MPI_Datatype type, MPI_Op op, int root);

  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { pipeline_.add_pending(pending); }

 private:
  Comm comm_;
  Kind kind_;
  int tag_;
  int root_;
  const void* data_;
  void* result_;
  void* spare_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  int piece_;
  Pipeline<ReduceMachine> pipeline_;
};

}  // namespace regroup::range
